"""Randomness that follows from the game's seed, so that a game can be repeated.

The official referees seed nothing. An agent that wants other randomness can still take it from the system or the clock.
"""

import functools
import random
import sys
from importlib.machinery import PathFinder


def seed_all(seed):
    """Seeds the global generators of `random` and numpy, and those that are created without a seed."""
    seeds = random.Random(seed)

    def next_seed():
        return seeds.getrandbits(32)

    random.seed(next_seed())
    seed_of_random = random.Random.seed

    def seed_instance(self, a=None, version=2):
        seed_of_random(self, next_seed() if a is None else a, version)

    random.Random.seed = seed_instance
    # This is a method of the module's own generator, and still the old one.
    random.seed = random._inst.seed
    loaded = sys.modules.get("numpy.random")
    if loaded is None:
        sys.meta_path.insert(0, NumpyFinder(next_seed))
    else:
        seed_numpy(loaded, next_seed)


class NumpyFinder:
    """Finds `numpy.random`, which is seeded when it is loaded."""

    def __init__(self, next_seed):
        self._next_seed = next_seed

    def find_spec(self, name, path=None, target=None):
        if name != "numpy.random":
            return None
        spec = PathFinder.find_spec(name, path)
        if spec is not None and spec.loader is not None:
            load = spec.loader.exec_module

            def load_and_seed(module):
                load(module)
                seed_numpy(module, self._next_seed)

            spec.loader.exec_module = load_and_seed
        return spec


def seed_numpy(module, next_seed):
    if not (hasattr(module, "seed") and hasattr(module, "default_rng")):
        return  # An agent may have a package of that name.
    for name in ("seed", "default_rng"):
        setattr(module, name, seeded(getattr(module, name), next_seed))
    module.seed()


def seeded(function, next_seed):
    """The same function, with a seed that follows from the game's if none is given."""

    @functools.wraps(function)
    def call(seed=None):
        return function(next_seed() if seed is None else seed)

    return call
