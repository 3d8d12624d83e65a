from .main import Player
