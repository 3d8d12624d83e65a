"""A yarra process that gets the moves of a game and chooses the next one, over UGI."""

import atexit
import os
import subprocess
import time


class Engine:
    """Runs `PROGRAM ugi GAME AGENT`; the environment variable YARRA overrides `program`.

    The process ends with its input, so that it never outlives this one.
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
        """Adds a move of either player."""
        self._moves.append(move)

    def choose(self, seconds_left):
        """The best move now.

        The referee measures this process only, not yarra's. To be fair, yarra's time is subtracted from what
        the referee says is left.
        """
        started = time.monotonic()
        moves = " moves " + " ".join(self._moves) if self._moves else ""
        self._say("position startpos" + moves)
        # Without this check a rejected position would go unnoticed, and the answer be for the one before.
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
            pass  # It has already ended.
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
        """Sends a line; returns the reply, up to the line that begins with `last_word`."""
        self._say(line)
        lines = []
        for line in self._process.stdout:
            lines.append(line.strip())
            if lines[-1].split()[:1] == [last_word]:
                return lines
        self._fail()

    def _fail(self):
        raise RuntimeError("yarra has ended with exit code {}".format(self._process.wait()))
