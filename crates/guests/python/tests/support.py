"""What the tests share: complete packages, recorded games, and runs of the referee."""

import atexit
import contextlib
import hashlib
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
PYTHON = os.path.dirname(HERE)
CONFORMANCE = os.path.join(PYTHON, "..", "..", "..", "data", "conformance")

# The folders that are merged into each game's package.
LAYERS = {"infexion": ["common", "infexion"], "tetress": ["common", "tetress"], "cachex": ["cachex"]}

_roots = {}
_modules = {}


def root(game):
    """A folder with the game's `referee`, created once."""
    if game not in _roots:
        folder = tempfile.mkdtemp()
        atexit.register(shutil.rmtree, folder, True)
        for layer in LAYERS[game]:
            shutil.copytree(
                os.path.join(PYTHON, layer),
                folder,
                ignore=shutil.ignore_patterns("__pycache__"),
                dirs_exist_ok=True,
            )
        _roots[game] = folder
    return _roots[game]


def use(game):
    """Makes `referee` this game's package from now on.

    The three packages have the same name, and pickle finds classes by name. So every test module selects its
    package when it is imported and again before its tests run.
    """
    for name in [name for name in sys.modules if name == "referee" or name.startswith("referee.")]:
        owner = next(owner for owner, folder in _roots.items() if sys.modules[name].__file__.startswith(folder))
        _modules.setdefault(owner, {})[name] = sys.modules.pop(name)
    sys.path[:] = [root(game)] + [entry for entry in sys.path if entry not in _roots.values()]
    sys.modules.update(_modules.get(game, {}))


def recorded(game):
    """The recorded games of the official referee."""
    with open(os.path.join(CONFORMANCE, game + ".jsonl"), encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def sha(moves):
    """The digest of a set of moves, as in the recorded games."""
    texts = sorted(json.dumps(move, separators=(",", ":")) for move in moves)
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()


def play(game, agents, *options):
    """Runs `python -m referee` in a new folder with these agents, given by name and text.

    Returns the exit code, the lines of both streams, and the log's lines if there is one.
    """
    with tempfile.TemporaryDirectory() as folder:
        for name, text in agents.items():
            os.mkdir(os.path.join(folder, name))
            with open(os.path.join(folder, name, "__init__.py"), "w", encoding="utf-8") as file:
                file.write(text)
        done = subprocess.run(
            [sys.executable, "-m", "referee", *options],
            cwd=folder,
            env=dict(os.environ, PYTHONPATH=root(game), PYTHONDONTWRITEBYTECODE="1"),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            timeout=100,
        )
        log = None
        if os.path.exists(os.path.join(folder, "game.log")):
            with open(os.path.join(folder, "game.log"), encoding="utf-8") as file:
                log = file.read().splitlines()
    return Run(done.returncode, done.stdout.splitlines(), done.stderr, log)


def refuse(test, get_options, options):
    """Asserts that a command line is refused with a message."""
    with test.assertRaises(SystemExit) as caught, contextlib.redirect_stderr(io.StringIO()) as message:
        get_options(options.split())
    test.assertEqual(caught.exception.code, 2)
    test.assertIn("error:", message.getvalue())


class Run:
    """A finished run of the referee."""

    def __init__(self, code, out, err, log):
        self.code = code
        self.out = out
        self.err = err
        self.log = log

    def __repr__(self):
        return "\n".join(["exit code {}".format(self.code), *self.out, self.err])
