"""Tries to escape from its sandbox; crashes with ESCAPED if anything works."""

import ctypes
import os
import signal

from base import Base

LIBC = ctypes.CDLL(None, use_errno=True)
CLONE_NEWUSER = 0x10000000
SYS_CLONE = {"x86_64": 56}.get(os.uname().machine, 220)


class Agent(Base):
    def action(self, **referee):
        if LIBC.unshare(CLONE_NEWUSER) == 0:
            raise RuntimeError("ESCAPED by unshare")
        if LIBC.mount(b"none", b"/tmp", b"tmpfs", 0, None) == 0:
            raise RuntimeError("ESCAPED by mount")
        pid = LIBC.syscall(SYS_CLONE, CLONE_NEWUSER | signal.SIGCHLD, 0, 0, 0, 0)
        if pid == 0:
            os._exit(0)
        if pid > 0:
            raise RuntimeError("ESCAPED by clone")
        if LIBC.ptrace(16, os.getppid(), 0, 0) == 0:
            raise RuntimeError("ESCAPED by ptrace")
        for pid in (1, os.getppid()):
            try:
                os.kill(pid, signal.SIGKILL)
            except OSError:
                pass
        return super().action(**referee)
