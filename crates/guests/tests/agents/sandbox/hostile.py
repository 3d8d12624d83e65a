"""Tries to reach what is not its own; crashes with ESCAPED if anything works.

The file `outside` names a folder of the same user outside the sandbox, with a file and a socket in it.
"""

import ctypes
import os
import resource
import signal
import socket
import tempfile
from pathlib import Path

from base import Base

LIBC = ctypes.CDLL(None, use_errno=True)
SYSCALLS = {"shmget": 29, "semget": 64, "msgget": 68, "ptrace": 101, "unshare": 272, "setns": 308, "bpf": 321,
            "userfaultfd": 323, "io_uring_setup": 425, "perf_event_open": 298, "keyctl": 250, "add_key": 248,
            "mq_open": 240, "open_by_handle_at": 304, "process_vm_readv": 310, "pidfd_getfd": 438}


OUTSIDE = Path("outside").read_text()


def escaped(how):
    raise RuntimeError("ESCAPED by " + how)


def refused(how, function, *args, **kwargs):
    try:
        function(*args, **kwargs)
    except (OSError, ValueError):
        return
    escaped(how)


def other_processes():
    """All processes that it can find or guess. The first two are supervisors, where there is no namespace."""
    found = {1, os.getppid()} | set(range(max(2, os.getpid() - 300), os.getpid()))
    try:
        found |= {int(name) for name in os.listdir("/proc") if name.isdigit()}
    except OSError:
        pass
    return found - {os.getpid()}


def signals():
    """Signal 0 and reading a limit are permitted only where others are, but do no harm if they are."""
    for pid in other_processes():
        for how in (lambda: os.kill(pid, 0), lambda: os.killpg(pid, 0),
                    lambda: resource.prlimit(pid, resource.RLIMIT_CPU)):
            try:
                how()
            except OSError:
                continue
            # The init process of the own namespace cannot be harmed from inside.
            if pid != 1 or os.getpid() > 9:
                escaped(f"a signal to {pid} from {os.getuid()}")


def memory_of_others():
    me = Path("/proc/self/cmdline").read_bytes()
    for pid in other_processes():
        for name in ("environ", "mem", "maps", "fd/0", "root/etc/hostname", "cwd/.", "cmdline"):
            path = f"/proc/{pid}/{name}"
            try:
                with open(path, "rb") as file:
                    text = file.read(4096).strip(b"\0")
            except OSError:
                continue
            if text and text != me:
                escaped(f"{path}: {text[:200]}")
        if os.path.isdir(f"/proc/{pid}/fd"):
            refused(f"/proc/{pid}/fd", os.listdir, f"/proc/{pid}/fd")


def calls():
    if os.uname().machine != "x86_64":
        return
    space = ctypes.create_string_buffer(4096)
    for name, number in SYSCALLS.items():
        if LIBC.syscall(number, 0, space, 4096, 0o600, 0, 0) >= 0:
            escaped(name)
    for number in (56, 0x40000000 + 39):
        flags = 0x10000000 | signal.SIGCHLD
        pid = LIBC.syscall(number, flags, 0, 0, 0, 0)
        if pid == 0:
            os._exit(0)
        if pid > 0:
            escaped(f"system call {number}")


def network():
    for family in (socket.AF_INET, socket.AF_INET6, socket.AF_NETLINK, socket.AF_PACKET):
        try:
            socket.socket(family, socket.SOCK_DGRAM)
        except OSError:
            continue
        escaped(f"socket family {family}")
    for address in (OUTSIDE + "/socket", "\0" + OUTSIDE, "/run/dbus/system_bus_socket", "/var/run/docker.sock"):
        for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
            refused(f"socket {address!r}", lambda: socket.socket(socket.AF_UNIX, kind).connect(address))
    try:
        ours, _ = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    except OSError:
        return
    refused("a datagram", ours.sendto, b"x", OUTSIDE + "/socket")


def files():
    for path in ("/etc/shadow", "/etc/hostname", "/root/.bashrc", "/proc/kcore", "/dev/tty", "/dev/mem", "/dev/vda",
                 OUTSIDE + "/file", "link_outside", "link_to_shadow"):
        refused(path, open, path, "rb")
    for folder in ("/", "/etc", "/usr", "/var/tmp", "/home", "/root", "/dev", "/run", OUTSIDE):
        refused(folder, open, os.path.join(folder, "yarra-test-written"), "w")
    path = OUTSIDE + "/file"
    for change in (lambda: os.chmod(path, 0), lambda: os.chmod(OUTSIDE, 0o777), lambda: os.utime(path, (1, 1)),
                   lambda: os.truncate(path, 0), lambda: os.setxattr(path, "user.yarra", b"x"),
                   lambda: os.open(path, os.O_RDONLY | os.O_TRUNC), lambda: os.rename(path, path + "2"),
                   lambda: os.link(path, "linked"), lambda: os.unlink(path), lambda: os.chown(path, -1, os.getgid())):
        # The test compares the file with what it was. Some of these pretend to have worked.
        try:
            change()
        except OSError:
            pass


def leaves_a_mess():
    """Must be gone after the game."""
    scratch = tempfile.mkdtemp()
    deep = os.open(scratch, os.O_RDONLY)
    for _ in range(100):
        os.mkdir("x" * 100, dir_fd=deep)
        inner = os.open("x" * 100, os.O_RDONLY, dir_fd=deep)
        os.close(deep)
        deep = inner
    os.close(deep)
    os.mkdir(scratch + "/closed")
    Path(scratch, "closed", "\n -rf *").write_text("x")
    os.chmod(scratch + "/closed", 0)
    os.symlink("/", scratch + "/root")
    os.mkfifo(scratch + "/fifo")
    try:
        Path("/dev/shm/" + Path(OUTSIDE).parent.name).write_bytes(b"x" * 4096)
    except OSError:
        pass


class Agent(Base):
    def __init__(self, color, **referee):
        super().__init__(color)
        calls()
        network()
        files()
        memory_of_others()
        signals()
        leaves_a_mess()
