"""The protocol with the referee: requests in, replies out."""

import gc
import importlib
import json
import os
import sys
from importlib.machinery import PathFinder
from signal import SIG_BLOCK, SIG_SETMASK, pthread_sigmask, valid_signals

from . import memory
from .counts import Counts
from .seeds import seed_all
from .text import printable, short, trace, type_name, words

# The agent may replace functions of the modules that it shares with us.
collect, freeze, callbacks = gc.collect, gc.freeze, gc.callbacks
decode, encode, read, write = json.loads, json.dumps, os.read, os.write
get_recursion_limit, set_recursion_limit = sys.getrecursionlimit, sys.setrecursionlimit

USUAL_RECURSION_LIMIT = get_recursion_limit()
LONGEST_REQUEST = 1 << 16


class Port:
    """The pipes to the referee, moved to descriptors that the agent does not use by accident."""

    def __init__(self):
        self._requests, self._replies = os.dup(0), os.dup(1)
        self._unread = b""
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        # Standard output carries the protocol, so that what the agent prints goes to standard error.
        os.dup2(2, 1)

    def receive(self):
        """The next request; None at the end."""
        while b"\n" not in self._unread:
            data = read(self._requests, LONGEST_REQUEST)
            if not data:
                return None
            self._unread += data
        line, _, self._unread = self._unread.partition(b"\n")
        return decode(line)

    def send(self, reply):
        reply = {key: printable(value) if isinstance(value, str) else value for key, value in reply.items()}
        data = (encode(reply) + "\n").encode()
        while data:
            data = data[write(self._replies, data):]


class Forbidden:
    """Replaces a stream that agents may not use."""

    def __init__(self, name):
        self._name = name

    def close(self):
        """Does nothing: `multiprocessing` closes standard input in every process that it starts."""

    def __getattr__(self, name):
        raise RuntimeError("agents may not use %s" % self._name)


def main(config):
    config = decode(config)
    port = Port()
    # Up to here no code of the agent has run: what fails before is not its fault.
    port.send({"ready": "host"})
    interface = importlib.import_module("yarra_host." + config["interface"])
    sys.stdin = sys.__stdin__ = Forbidden("standard input")
    sys.stdout = sys.stderr
    sys.__stdout__ = Forbidden("sys.__stdout__") if interface.STDOUT_IS_RESERVED else sys.stderr
    # In the sandbox there is no home folder, so that Python does not find the user's own packages by itself.
    sys.path += [folder for folder in config["modules"] if folder not in sys.path]
    sys.argv = [sys.argv[0]]
    # A numpy of the agent's own is code of the agent, and neither free nor ours to run.
    if interface.NUMPY_IS_FREE and PathFinder.find_spec("numpy", config["path"]) is None:
        try:
            importlib.import_module("numpy")
        except ImportError:
            pass
    sys.path[:0] = config["path"]
    # Objects that exist now stay: later collections need not scan them.
    collect()
    freeze()
    port.send({"ready": "baseline"})
    port.receive()
    space = memory.Space(config["megabytes"])
    seed_all(config["seed"])
    counts = Counts(config["interface"]) if config["counts"] else None
    found, seats = [], []
    reply = answer(lambda: find_class(config, interface, found))
    if found and interface.IMPORTS_ARE_FREE:
        space = memory.Space(config["megabytes"])
    collect()
    freeze()
    if found:
        # A `referee` package of the agent's own may lack what this needs.
        made = answer(lambda: seats.append(interface.Seat(found[0], config["color"], config["size"], space)))
        reply = reply if seats else made
    port.send(reply)
    if not seats:
        port.receive()
        return
    seat = seats[0]
    calls = {"new": seat.new, "action": seat.action, "turn": seat.turn}
    if counts is not None:
        calls["counts"] = counts.report
    serve(port, calls)


def serve(port, calls):
    """Answers requests until the referee closes the pipe."""
    while True:
        request = port.receive()
        if request is None:
            return
        name = request.pop("call")
        reply = collect_garbage() if name == "collect" else answer(lambda: calls[name](**request))
        try:
            port.send(reply)
        except BaseException:
            # A trace function of the agent has failed, which Python then drops.
            port.send(failure())


def collect_garbage():
    """Collects garbage off the clock, without the callbacks that the agent may have registered."""
    registered, callbacks[:] = callbacks[:], []
    collect()
    callbacks[:] = registered
    return {"ok": True}


def answer(work):
    """The reply to a call of the agent: what it returned, or how it failed."""
    try:
        try:
            SIGNALS.release()
            return work() or {"ok": True}
        finally:
            SIGNALS.hold()
            # An agent may raise the limit, but our own work needs the usual one.
            if get_recursion_limit() < USUAL_RECURSION_LIMIT:
                set_recursion_limit(USUAL_RECURSION_LIMIT)
    except BaseException:
        SIGNALS.hold()
        return failure()


class Signals:
    """Holds signals back while our own code runs, so that the agent's handlers run, and fail, only in its own calls."""

    def __init__(self):
        self._all = valid_signals()
        # The agent's own mask.
        self._mask = pthread_sigmask(SIG_BLOCK, [])
        self._is_released = True

    def hold(self):
        mask = pthread_sigmask(SIG_BLOCK, self._all)
        if self._is_released:
            self._mask, self._is_released = mask, False

    def release(self):
        self._is_released = True
        pthread_sigmask(SIG_SETMASK, self._mask)


SIGNALS = Signals()


def failure():
    """The reply for the exception that is being handled."""
    kind, value, _ = sys.exc_info()
    try:
        if issubclass(kind, SystemExit):
            return {"exit": "SystemExit: " + short(value.code)}
        return {"memory" if issubclass(kind, MemoryError) else "crash": trace()}
    except BaseException:
        return {"crash": type_name(kind)}


def find_class(config, interface, found):
    """Finds the agent's class: the requested one, the usual one, or the only one with an `action` method."""
    module = importlib.import_module(config["package"])
    name = config["class"] or interface.CLASS
    if hasattr(module, name):
        fitting = [getattr(module, name)]
    else:
        fitting = [
            value
            for value in vars(module).values()
            if isinstance(value, type) and callable(getattr(value, "action", None)) and not is_referees(value)
        ]
        if config["class"] or len(fitting) != 1:
            names = ", ".join(sorted(value.__name__ for value in fitting)) or "no class with an action method"
            raise ImportError("no class %s in package %s, which has %s" % (name, config["package"], names))
    found += fitting
    return {"ok": full_name(fitting[0], config["package"], name)}


def is_referees(value):
    """Whether a class is the referee's own, as agents may have by `from referee.game import *`."""
    return str(value.__module__).partition(".")[0] == "referee"


def full_name(value, package, name):
    """The name of the agent's class, for people."""
    try:
        # It need not be a class: the official referees only call it.
        names = getattr(value, "__module__", package), getattr(value, "__name__", name)
    except BaseException:
        names = package, name
    return ":".join(map(words, names))
