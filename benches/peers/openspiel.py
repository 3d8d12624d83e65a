"""Random games of Hex per second in OpenSpiel: `openspiel.py SIZE SECONDS`, prints one JSON line.

The games are played by OpenSpiel's own C++ loop: one simulation of its tree search evaluates the start
position by thousands of random games, so that next to no time is spent in Python.
"""

import importlib.metadata
import json
import random
import sys
import time

import pyspiel

SEED = 1
N_ROLLOUTS = 2000
# Python plays these itself, for their length alone: the C++ loop does not tell it.
N_GAMES_FOR_LENGTH = 200


def playouts_per_s(game: pyspiel.Game, seconds: float) -> float:
    evaluator = pyspiel.RandomRolloutEvaluator(N_ROLLOUTS, SEED)
    bot = pyspiel.MCTSBot(game, evaluator, 2.0, 1, 1000, False, SEED, False)
    state = game.new_initial_state()
    n_playouts = 0
    started = time.perf_counter()
    while time.perf_counter() - started < seconds:
        bot.step(state)
        n_playouts += N_ROLLOUTS
    return n_playouts / (time.perf_counter() - started)


def mean_length(game: pyspiel.Game) -> float:
    rng = random.Random(SEED)
    n_moves = 0
    for _ in range(N_GAMES_FOR_LENGTH):
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
            n_moves += 1
    return n_moves / N_GAMES_FOR_LENGTH


def main() -> None:
    size, seconds = int(sys.argv[1]), float(sys.argv[2])
    game = pyspiel.load_game(f"hex(board_size={size})")
    figures = {
        "version": importlib.metadata.version("open_spiel"),
        "playouts_per_s": playouts_per_s(game, seconds),
        "moves": mean_length(game),
    }
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
