"""Tetress: all names that agents import."""

from . import actions, board, constants, coord, exceptions, pieces, player
from .actions import Action, PlaceAction
from .board import Board
from .constants import *
from .exceptions import IllegalActionException, PlayerException
from .coord import Coord, Direction
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
