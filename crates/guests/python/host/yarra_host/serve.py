"""The protocol with the referee: requests in, replies out."""

import gc
import importlib
import json
import os
import sys
import traceback

from . import memory

LONGEST_TEXT = 4_000


class Port:
    """The pipes to the referee, moved to descriptors that the agent does not use by accident."""

    def __init__(self):
        self._requests = os.fdopen(os.dup(0), "r", encoding="utf-8")
        self._replies = os.dup(1)
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        # Standard output carries the protocol, so that what the agent prints goes to standard error.
        os.dup2(2, 1)

    def receive(self):
        line = self._requests.readline()
        return json.loads(line) if line else None

    def send(self, **reply):
        data = (json.dumps(reply) + "\n").encode()
        while data:
            data = data[os.write(self._replies, data):]


class NoInput:
    """Replaces standard input, which agents may not read."""

    def __getattr__(self, name):
        raise RuntimeError("agents may not read standard input")


def main(config):
    config = json.loads(config)
    port = Port()
    sys.stdin = sys.__stdin__ = NoInput()
    sys.stdout = sys.__stdout__ = sys.stderr
    sys.path[:0] = config["path"]
    # In the sandbox there is no home folder, so that Python does not find the user's own packages by itself.
    sys.path += [folder for folder in config["modules"] if folder not in sys.path]
    sys.argv = [sys.argv[0]]
    interface = importlib.import_module("yarra_host." + config["interface"])
    if interface.NUMPY_IS_FREE:
        try:
            importlib.import_module("numpy")
        except ImportError:
            pass
    # Objects that exist now stay: later collections need not scan them.
    gc.collect()
    gc.freeze()
    port.send(ready="baseline")
    port.receive()
    space = memory.Space(config["megabytes"])
    imported = answer(lambda: find_class(config, interface))
    if not isinstance(imported, dict):
        if interface.IMPORTS_ARE_FREE:
            space = memory.Space(config["megabytes"])
        gc.collect()
        gc.freeze()
        seat = interface.Seat(imported, config["color"], config["size"], space)
        port.send(ok=imported.__module__ + ":" + imported.__name__)
        serve(port, seat)
    else:
        port.send(**imported)
        port.receive()


def serve(port, seat):
    """Answers requests until the referee closes the pipe."""
    calls = {"new": seat.new, "action": seat.action, "turn": seat.turn, "collect": collect_garbage}
    while True:
        request = port.receive()
        if request is None:
            return
        call = calls[request.pop("call")]
        reply = answer(lambda: call(**request))
        port.send(**(reply if isinstance(reply, dict) else {"ok": True}))


def collect_garbage():
    """Collects garbage off the clock, without the callbacks that the agent may have registered."""
    callbacks, gc.callbacks[:] = gc.callbacks[:], []
    gc.collect()
    gc.callbacks[:] = callbacks


def answer(work):
    """The result of a call of the agent, or a reply that says how it failed."""
    try:
        return work()
    except SystemExit as stop:
        return {"exit": "SystemExit: " + short(stop.code)}
    except MemoryError:
        return {"memory": trace()}
    except BaseException:
        return {"crash": trace()}


def trace():
    """The traceback of the current exception, without our own frames; its text may fail or be long."""
    kind, value, frames = sys.exc_info()
    while frames is not None and is_ours(frames.tb_frame.f_code.co_filename):
        frames = frames.tb_next
    try:
        text = "".join(traceback.format_exception(kind, value, frames, limit=-30))
    except BaseException:
        text = "".join(traceback.format_tb(frames, limit=-30)) + kind.__name__
    return text[-LONGEST_TEXT:].strip()


def is_ours(file):
    """Whether a file is part of this package, or of the import machinery."""
    return "yarra_host" in file or file == importlib.__file__ or file.startswith("<frozen importlib")


def short(value):
    """A short text for any value, even if its `repr` fails."""
    try:
        text = repr(value)
    except BaseException:
        text = "a " + type(value).__name__
    return text if len(text) <= 200 else text[:200] + "..."


def find_class(config, interface):
    """The agent's class: the requested one, the usual one, or the only one with an `action` method."""
    module = importlib.import_module(config["package"])
    name = config["class"] or interface.CLASS
    if hasattr(module, name):
        return getattr(module, name)
    fitting = [
        value
        for value in vars(module).values()
        if isinstance(value, type) and callable(getattr(value, "action", None))
    ]
    if config["class"] or len(fitting) != 1:
        found = ", ".join(sorted(value.__name__ for value in fitting)) or "no class with an action method"
        raise ImportError("no class %s in package %s, which has %s" % (name, config["package"], found))
    return fitting[0]
