"""A yarra process that is told the moves of a game and asked for the next one, in UGI."""

import atexit
import os
import subprocess
import time


class Engine:
    """Runs `PROGRAM ugi GAME AGENT`; the environment variable YARRA goes before `program`.

    The process ends with its input, so it never outlives us, however we end.
    """

    def __init__(self, program, game, agent, seconds_a_move):
        self._moves = []
        self._seconds_used = 0.0
        self._seconds_a_move = seconds_a_move
        command = [os.environ.get("YARRA", program), "ugi", game, agent]
        try:
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, universal_newlines=True
            )
        except OSError as error:
            raise RuntimeError(
                "cannot start yarra: {}; the environment variable YARRA may say where it is".format(error)
            )
        atexit.register(self.close)
        self._ask("ugi", "ugiok")
        self._say("uginewgame")
        self._ask("isready", "readyok")

    def played(self, move):
        """Somebody has made a move."""
        self._moves.append(move)

    def choose(self, seconds_left):
        """The best move now.

        The time that yarra thinks is not seen by the referee, who looks at this process only. To be fair
        it is taken off the time that the referee says is left.
        """
        started = time.monotonic()
        moves = " moves " + " ".join(self._moves) if self._moves else ""
        self._say("position startpos" + moves)
        # A position that is not taken would go unnoticed, and the answer be one to the position before.
        notes = [line for line in self._ask("isready", "readyok") if line.startswith("info string")]
        if notes:
            raise RuntimeError("yarra does not take the moves: " + notes[0])
        answer = self._ask(self._go(seconds_left), "bestmove")[-1].split()
        self._seconds_used += time.monotonic() - started
        if len(answer) < 2 or answer[1] == "none":
            raise RuntimeError("yarra has no move")
        return answer[1]

    def close(self):
        """Ends the process."""
        atexit.unregister(self.close)
        try:
            self._say("quit")
            self._process.stdin.close()
        except (OSError, RuntimeError):
            pass  # It has ended already.
        try:
            self._process.wait(timeout=2)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()

    def _go(self, seconds_left):
        if seconds_left is not None:
            left = max(1, int(1000 * (seconds_left - self._seconds_used)))
            return "go p1time {0} p2time {0}".format(left)
        if self._seconds_a_move is not None:
            return "go movetime {}".format(int(1000 * self._seconds_a_move))
        return "go"

    def _say(self, line):
        try:
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            self._fail()

    def _ask(self, line, last_word):
        """The lines that answer, up to and with the one that begins with the last word."""
        self._say(line)
        lines = []
        for line in self._process.stdout:
            lines.append(line.strip())
            if lines[-1].split()[:1] == [last_word]:
                return lines
        self._fail()

    def _fail(self):
        raise RuntimeError("yarra has ended with exit code {}".format(self._process.wait()))
