from bandicoots.player import Player
