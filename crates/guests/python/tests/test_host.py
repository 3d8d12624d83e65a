"""How the host of a course agent answers, whatever the agent does."""

import importlib.util
import unittest

from hosts import BASE, Host, agent


class Failures(unittest.TestCase):
    """How a failing call is reported."""

    def failed(self, body, game="cachex", before=""):
        with Host(game, before + agent(game, __init__=body)) as host:
            self.assertIn("ok", host.imported, host.imported)
            return host.new()

    def test_exceptions_are_crashes_with_their_trace(self):
        for body, last in (
            ("raise KeyError('boom')", "KeyError: 'boom'"),
            ("raise KeyboardInterrupt", "KeyboardInterrupt"),
            ("raise GeneratorExit", "GeneratorExit"),
            ("raise BaseException('base')", "BaseException: base"),
            ("next(iter(()))", "StopIteration"),
            ("raise RuntimeError('\\ud800 alone')", "RuntimeError: \\ud800 alone"),
            ("self.__init__()", "RecursionError: maximum recursion depth exceeded"),
            ("sys.setrecursionlimit(40)\nself.__init__()", "RecursionError: "),
            ("sys.stdin.readline()", "RuntimeError: agents may not use standard input"),
            ("input()", "RuntimeError: agents may not use standard input"),
        ):
            reply = self.failed(body)
            self.assertEqual(list(reply), ["crash"], (body, reply))
            self.assertTrue(reply["crash"].splitlines()[-1].startswith(last), (body, reply))
            self.assertIn("agent/__init__.py", reply["crash"].splitlines()[1])

    def test_the_stream_of_the_official_protocol_is_forbidden(self):
        body = "sys.__stdout__.write('x')"
        self.assertIn("RuntimeError: agents may not use sys.__stdout__", self.failed(body, "tetress")["crash"])
        self.assertEqual(self.failed(body), {"ok": True})

    def test_exceptions_without_a_text_are_crashes(self):
        text = """
class Mute(Exception):
    def __str__(self): raise BaseException("no")
    __repr__ = __str__
class Meta(type):
    def __getattribute__(cls, name): raise KeyError(name)
class Nameless(Exception, metaclass=Meta): pass
class Exit(SystemExit):
    code = property(lambda self: 1 / 0)
"""
        for error in ("Mute()", "Nameless()", "Exit()", "Mute() from Mute()"):
            reply = self.failed("raise " + error, before=text)
            self.assertEqual(list(reply), ["crash"], (error, reply))

    def test_a_long_message_leaves_room_for_the_place(self):
        reply = self.failed("raise RuntimeError('x' * 100000)")
        self.assertLess(len(reply["crash"]), 4100)
        self.assertIn("in __init__", reply["crash"])
        self.assertIn("RuntimeError: xxx", reply["crash"])

    def test_other_ends(self):
        self.assertEqual(self.failed("sys.exit(3)"), {"exit": "SystemExit: 3"})
        self.assertEqual(list(self.failed("raise MemoryError")), ["memory"])

    def test_a_syntax_error_has_its_place_in_the_last_line(self):
        for text, line in (("def x(:\n", 1), ("pass\n  pass\n", 2)):
            with Host("tetress", text) as host:
                last = host.imported["crash"].splitlines()[-1]
                self.assertRegex(last, r'Error: .* \(File ".*/agent/__init__.py", line %d\)$' % line)

    def test_missing_methods_are_crashes(self):
        with Host("infexion", "class Agent:\n    def __init__(self, **kwargs): pass\n") as host:
            self.assertEqual(host.new(), {"ok": True})
            self.assertIn("has no attribute 'action'", host.action()["crash"])
            self.assertIn("has no attribute 'turn'", host.turn("1-2")["crash"])

    def test_parameters_have_the_names_of_the_course(self):
        with Host("tetress", "class Agent:\n    def __init__(self, colour, **referee): pass\n") as host:
            self.assertIn("required positional argument: 'colour'", host.new()["crash"])
        with Host("cachex", "class Player:\n    def __init__(self, colour, size): pass\n") as host:
            self.assertEqual(host.new(), {"ok": True})


class Interference(unittest.TestCase):
    """An agent that changes the interpreter still gets an official verdict."""

    def plays_on(self, body, game="cachex"):
        with Host(game, agent(game, __init__=body)) as host:
            self.assertEqual(host.new(), {"ok": True}, body)
            self.assertIn("move", host.action(), body)
            self.assertEqual(host.call("collect"), {"ok": True}, body)
            self.assertIn("move", host.action(), body)

    def test_replaced_functions_and_modules(self):
        for body in (
            "import json; json.dumps = json.loads = json.JSONEncoder = None",
            "os.write = os.read = os.dup = None",
            "import traceback; traceback.format_exception = None",
            "import builtins; builtins.print = builtins.repr = builtins.input = None",
            "sys.stdout = sys.stderr = sys.stdin = None",
            "sys.stdout.close()",
            "for name in list(sys.modules): del sys.modules[name]",
            "sys.path.clear(); sys.argv.clear()",
            "sys.setrecursionlimit(100000)",
            "import random; random.seed = None",
            "os.close(0); os.close(1)",
            "sys.settrace(lambda *_: None)",
            "sys.setprofile(lambda *_: None)",
            "import atexit; atexit.register(input)",
            "import threading; threading.Thread(target=threading.Event().wait, daemon=True).start()",
            "import warnings; warnings.simplefilter('error')",
            "import gc; gc.disable(); gc.callbacks.append(None)",
        ):
            self.plays_on(body)
        self.plays_on("import pickle, sys; pickle.dumps = pickle.loads = None; sys.stdout = sys.stderr = None", "infexion")

    def test_signals_that_raise_between_calls_are_crashes(self):
        body = """
import signal
def ring(*_): raise TimeoutError("the alarm")
signal.signal(signal.SIGALRM, ring)
signal.setitimer(signal.ITIMER_REAL, 0.05)
"""
        with Host("infexion", agent("infexion", __init__=body, turn="import time; time.sleep(1)")) as host:
            self.assertEqual(host.new(), {"ok": True})
            # It rings while the host waits, or in the next call.
            reply = host.turn("1-2")
            self.assertEqual(reply["crash"].splitlines()[-1], "TimeoutError: the alarm")

    def test_a_trace_function_that_fails_is_a_crash(self):
        with Host("infexion", agent("infexion", __init__="sys.settrace(lambda *_: 1 / 0)")) as host:
            replies = [host.new(), host.action()]
            self.assertTrue(any("crash" in reply for reply in replies), replies)


class Processes(unittest.TestCase):
    """Processes that the agent starts."""

    def test_multiprocessing_works_in_all_its_ways(self):
        for method in ("fork", "spawn", "forkserver"):
            body = """
import multiprocessing
with multiprocessing.get_context(%r).Pool(1) as pool:
    assert pool.apply_async(abs, [-1]).get(timeout=60) == 1
""" % method
            with Host("infexion", agent("infexion", __init__=body)) as host:
                self.assertEqual(host.new(), {"ok": True}, method)


class Packages(unittest.TestCase):
    def imported(self, text, game="infexion", name=None):
        with Host(game, text, name) as host:
            return host.imported

    def test_the_class_is_found(self):
        self.assertEqual(self.imported(agent("infexion")), {"ok": "agent:Agent"})
        one = "class Mine:\n    def action(self): pass\n"
        self.assertEqual(self.imported(one), {"ok": "agent:Mine"})
        # It has a class `Player`, which is not the agent's.
        self.assertEqual(self.imported("from referee.game import *\n" + one), {"ok": "agent:Mine"})
        two = one + "class Yours(Mine): pass\n"
        self.assertIn("no class Agent in package agent, which has Mine, Yours", self.imported(two)["crash"])
        self.assertEqual(self.imported(two, name="Yours"), {"ok": "agent:Yours"})
        self.assertIn("no class with an action method", self.imported("x = 1\n")["crash"])

    def test_anything_that_can_be_called_is_a_class(self):
        for text in (
            "Agent = lambda **referee: Base(**referee)\n",
            "import functools\nAgent = functools.partial(Base)\n",
            "class Make(dict):\n    def __call__(self, **referee): return Base(**referee)\nAgent = Make()\n",
            "class Make(Base):\n    __module__ = property(lambda self: 1 / 0)\n"
            "    def __call__(self, **referee): return Base(**referee)\nAgent = Make(None)\n",
        ):
            with Host("infexion", BASE["infexion"] + text) as host:
                self.assertIn("ok", host.imported)
                self.assertEqual(host.new(), {"ok": True})
                self.assertEqual(host.action()["move"], "1-2")

    def test_what_is_printed_during_the_import_is_not_in_the_way(self):
        text = "print('hello')\nimport os\nos.write(1, b'raw')\n" + agent("cachex")
        self.assertEqual(self.imported(text, "cachex"), {"ok": "agent:Player"})


class Randomness(unittest.TestCase):
    def drawn(self, game, seed, *expressions):
        """What an agent draws by these expressions."""
        body = "return [str(draw) for draw in (%s,)]" % ", ".join(expressions)
        text = "import random\nAT_IMPORT = random.random()\n" + agent(game, "random")
        with Host(game, text.replace("return random", body), seed=seed) as host:
            host.new()
            return host.action()["said"].strip("(),").split("', '")

    def test_the_seed_determines_it(self):
        expressions = ["random.random()", "AT_IMPORT", "random.Random().random()", "random.sample(range(99), 3)"]
        expressions.append("random.seed() or random.random()")
        if importlib.util.find_spec("numpy"):
            numpy = "__import__('numpy').random."
            expressions += [numpy + "rand()", numpy + "default_rng().random()", numpy + "seed() or " + numpy + "rand()"]
        for game in ("cachex", "infexion"):
            first, again, other = (self.drawn(game, seed, *expressions) for seed in (1, 1, 2))
            self.assertEqual(len(first), len(expressions))
            self.assertEqual(first, again)
            for one, two, expression in zip(first, other, expressions):
                self.assertNotEqual(one, two, expression)

    def test_an_agent_can_seed_it_itself(self):
        own = ("random.seed(5) or random.random()", "random.Random(5).random()")
        self.assertEqual(self.drawn("cachex", 1, *own), self.drawn("cachex", 2, *own))
        self.assertNotEqual(self.drawn("cachex", 1, "os.urandom(8)"), self.drawn("cachex", 1, "os.urandom(8)"))


class Counting(unittest.TestCase):
    """The estimate of what the official classes would cost."""

    def surplus(self, game, body):
        with Host(game, agent(game, __init__=body), counts=True) as host:
            self.assertEqual(host.new(), {"ok": True})
            return host.call("counts", time=None)["ok"]

    def test_costly_operations_are_counted(self):
        n_calls, least, most = self.surplus("tetress", "for _ in range(1000): Coord(0, 0) + Direction.Up")
        self.assertEqual(n_calls, 1000)
        self.assertTrue(0 < least < most < 1, (least, most))
        body = "from referee.game.pieces import create_piece, PieceType\nfor _ in range(10): create_piece(PieceType.O)"
        self.assertEqual(self.surplus("tetress", body)[0], 10)
        self.assertEqual(self.surplus("tetress", body.replace("game.pieces", "game.board"))[0], 10)
        body = "board = Board(); board.apply_action(SpawnAction(HexPos(0, 0))); board.game_over\nHexPos(0, 0) - HexDir.Up"
        self.assertEqual(self.surplus("infexion", body)[0], 3)

    def test_other_work_costs_the_same(self):
        self.assertEqual(self.surplus("infexion", "sum(range(1000))"), [0, 0, 0])
        self.assertEqual(self.surplus("cachex", "sum(range(1000))"), [0, 0, 0])
