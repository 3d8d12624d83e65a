"""Does what programs ordinarily do, with processes, files and libraries; fails if any of it does not work."""

import asyncio
import concurrent.futures
import getpass
import multiprocessing
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from pathlib import Path


def square(number):
    return number * number


def processes():
    with multiprocessing.Pool(2) as pool:
        assert pool.map(square, [1, 2, 3]) == [1, 4, 9]
    with concurrent.futures.ProcessPoolExecutor(2) as pool:
        assert list(pool.map(square, [2])) == [4]
    queue = multiprocessing.Queue()
    child = multiprocessing.Process(target=queue.put, args=(7,))
    child.start()
    assert queue.get() == 7
    child.join()
    child = multiprocessing.Process(target=signal.pause)
    child.start()
    child.terminate()
    child.join()
    assert child.exitcode == -signal.SIGTERM
    output = subprocess.run(["echo", "hello"], capture_output=True, text=True, check=True)
    assert output.stdout == "hello\n"
    subprocess.run(["sleep", "0"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=True)
    assert os.system("exit 3") >> 8 == 3
    subprocess.run([sys.executable, "-c", "print(1)"], stdout=subprocess.DEVNULL, check=True)
    try:
        subprocess.run(["sleep", "60"], timeout=0.05)
    except subprocess.TimeoutExpired:
        pass


def threads():
    done = []
    worker = threading.Thread(target=done.append, args=(1,))
    worker.start()
    worker.join()
    assert done == [1]
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        assert list(pool.map(square, range(3))) == [0, 1, 4]

    async def nap():
        await asyncio.sleep(0)
        program = await asyncio.create_subprocess_exec("true")
        return await program.wait()

    assert asyncio.run(nap()) == 0
    ours, theirs = socket.socketpair()
    ours.send(b"x")
    assert theirs.recv(1) == b"x"


def files():
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "file")
        path.write_text("text")
        copy = shutil.copy2(path, Path(folder, "copy"))
        assert Path(copy).read_text() == "text"
        path.rename(Path(folder, "renamed"))
        Path(folder, "inner").mkdir()
        shutil.move(copy, Path(folder, "inner"))
        os.chmod(Path(folder, "inner"), 0o700)
    with tempfile.NamedTemporaryFile() as file:
        file.write(b"text")
    with tempfile.TemporaryFile() as file:
        file.write(b"text")
    Path.home().joinpath("in_home").write_text("text")
    # The working directory and the folder of this module are the agent's own, to read and to write.
    for folder in (Path.cwd(), Path(__file__).parent):
        log = folder / "log.txt"
        log.write_text("1")
        with log.open("a") as file:
            file.write("2")
        assert log.read_text() == "12"
        (folder / "new").mkdir(exist_ok=True)
        (folder / "new" / "file").write_text("text")
        log.unlink()
    Path("/dev/null").write_text("text")
    with open("/dev/urandom", "rb") as file:
        file.read(4)
    assert Path("/proc/meminfo").read_text()


def libraries():
    import hashlib
    import sqlite3
    import ssl
    import time
    import uuid
    import zoneinfo

    ssl.create_default_context
    assert hashlib.sha256(b"").hexdigest() and uuid.uuid4() and zoneinfo and time.localtime()
    sqlite3.connect(":memory:").execute("select 1")
    sqlite3.connect("games.db").execute("create table if not exists games (id)")
    assert getpass.getuser() == "agent" and os.cpu_count() and os.sched_getaffinity(0)
    try:
        import numpy
    except ImportError:
        return
    assert numpy.linalg.inv(numpy.eye(50)).sum() == 50


if __name__ == "__main__":
    processes()
    threads()
    files()
    libraries()
