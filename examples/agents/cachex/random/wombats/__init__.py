from wombats.player import Player
