"""The host of a course agent in its own process, spoken to as Yarra's referee does."""

import json
import os
import subprocess
import sys
import tempfile

import support

BASE = {
    "infexion": """
import os, sys
from referee.game import *
class Base:
    def __init__(self, color, **referee): pass
    def action(self, **referee): return SpawnAction(HexPos(1, 2))
    def turn(self, color, action, **referee): pass
""",
    "tetress": """
import os, sys
from referee.game import *
class Base:
    def __init__(self, color, **referee): pass
    def action(self, **referee): return PlaceAction(*[Coord(0, c) for c in range(4)])
    def update(self, color, action, **referee): pass
""",
    "cachex": """
import os, sys
class Base:
    def __init__(self, player, n): pass
    def action(self): return ("PLACE", 0, 1)
    def turn(self, player, action): pass
""",
}
NAMES = {"infexion": "Agent", "tetress": "Agent", "cachex": "Player"}


class Host:
    """A host with an agent; `calls` returns the reply to each call."""

    def __init__(self, game, text, name=None, seed=0, counts=False, environment=None):
        self._folder = tempfile.TemporaryDirectory()
        os.mkdir(os.path.join(self._folder.name, "agent"))
        with open(os.path.join(self._folder.name, "agent", "__init__.py"), "w", encoding="utf-8") as file:
            file.write(text)
        config = {
            "interface": game,
            "path": [support.root(game), self._folder.name],
            "modules": [],
            "package": "agent",
            "class": name,
            "color": "red",
            "size": 5 if game == "cachex" else 0,
            "megabytes": None,
            "seed": seed,
            "counts": counts,
        }
        self._process = subprocess.Popen(
            [sys.executable, os.path.join(support.PYTHON, "host", "main.py"), json.dumps(config)],
            env=dict(os.environ, PYTHONDONTWRITEBYTECODE="1", **(environment or {})),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )

    def __enter__(self):
        assert [self._read(), self._read()] == [{"ready": "host"}, {"ready": "baseline"}]
        self.imported = self._ask({})
        return self

    def __exit__(self, *_):
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.kill()
        self._process.wait()
        self._folder.cleanup()

    def _read(self):
        line = self._process.stdout.readline()
        # The referee reads strict JSON: no lone surrogates.
        line.decode("utf-8")
        assert not any(0xD800 <= ord(letter) < 0xE000 for letter in str(json.loads(line or "null")))
        return json.loads(line) if line else None

    def _ask(self, request):
        self._process.stdin.write((json.dumps(request) + "\n").encode())
        self._process.stdin.flush()
        return self._read()

    def call(self, name, **request):
        return self._ask(dict({"call": name}, **request))

    def new(self):
        return self.call("new", time=None)

    def action(self):
        return self.call("action", time=None)

    def turn(self, move):
        return self.call("turn", time=None, color="blue", move=move)


def agent(game, action=None, **methods):
    """The text of an agent with these method bodies; `action` is the expression that it returns."""
    if action is not None:
        methods["action"] = "return " + action
    bodies = ["    pass"]
    for name, body in methods.items():
        arguments = "self, *args, **referee"
        bodies.append("    def {}({}):\n        {}".format(name, arguments, body.replace("\n", "\n        ")))
    return BASE[game] + "class {}(Base):\n".format(NAMES[game]) + "\n".join(bodies) + "\n"
