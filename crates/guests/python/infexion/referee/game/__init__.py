"""Infexion: all names that agents import."""

from . import actions, board, constants, exceptions, hex, player
from .actions import Action, SpawnAction, SpreadAction
from .board import Board
from .constants import *
from .exceptions import IllegalActionException, PlayerException
from .hex import HexDir, HexPos
from .play import (
    BoardUpdate,
    GameBegin,
    GameEnd,
    GameUpdate,
    PlayerError,
    PlayerInitialising,
    TurnBegin,
    TurnEnd,
    UnhandledError,
    game,
)
from .player import Player, PlayerColor
