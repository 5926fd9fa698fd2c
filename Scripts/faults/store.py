"""A disk that is full, and a store that fails (D4, D5, O5, Z5)."""

import contextlib
import http.client
import os
import pathlib
import signal
import sqlite3
import subprocess
import tempfile
import time

from onward import Failed, Onward, Others, Skipped, eventually, expect, needs, run


@contextlib.contextmanager
def small_disk(megabytes):
    """A file system of its own, which only this process and its children see: `run` has asked for that."""
    with tempfile.TemporaryDirectory(prefix="onward-faults-") as folder:
        try:
            run("mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", folder)
        except Exception as error:
            raise Skipped("no file system can be mounted here") from error
        try:
            yield pathlib.Path(folder)
        finally:
            run("umount", "--lazy", folder)


def disk():
    """The disk full, the log's too: who is alive is told so, codes are shown and kept, nothing is half done, and it recovers by itself."""
    with small_disk(12) as folder, Onward(folder) as onward:
        return through(onward, lambda: fill(folder / "ballast"), lambda: os.remove(folder / "ballast"))


def fill(path):
    with open(path, "ab", buffering=0) as file, contextlib.suppress(OSError):
        for size in (65_536, 4096, 256, 1):
            with contextlib.suppress(OSError):
                while True:
                    file.write(bytes(size))


def io():
    """Every write and sync of the store fails: the same."""
    needs("strace")
    with Onward() as onward:
        tracers = []

        def begin():
            if tracers:
                return
            calls = "pwrite64,fdatasync,fsync,ftruncate"
            tracers.append(subprocess.Popen(
                ["strace", "-f", "-qq", "-p", str(onward.process.pid), "-o", "/dev/null", "-e", f"trace={calls}", "-e", f"inject={calls}:error=EIO"],
                stderr=subprocess.DEVNULL))
            tracer = f"TracerPid:\t{tracers[0].pid}\n"
            tasks = pathlib.Path(f"/proc/{onward.process.pid}/task")
            eventually(lambda: all(tracer in (task / "status").read_text() for task in tasks.iterdir()), "strace holds it")

        def end():
            tracers[0].send_signal(signal.SIGINT)
            tracers[0].wait()

        return through(onward, begin, end)


def sync():
    """One sync of the database fails, and is told once: the program ends, and the next one has all that was said to be done."""
    needs("strace")
    with tempfile.TemporaryDirectory(prefix="onward-faults-") as folder:
        with Onward(folder) as onward:
            email, codes = onward.account()[0], []
            database = onward.folder / "onward.sqlite"
            tracer = subprocess.Popen(
                ["strace", "-f", "-qq", "-p", str(onward.process.pid), "-o", "/dev/null", "-P", str(database), "-e", "trace=fdatasync",
                 "-e", "inject=fdatasync:error=EIO:when=1"], stderr=subprocess.DEVNULL)
            eventually(lambda: f"TracerPid:\t{tracer.pid}\n" in pathlib.Path(f"/proc/{onward.process.pid}/status").read_text(), "strace holds it")
            # Until so much is in the log that some of it is taken over.
            with contextlib.suppress(OSError, http.client.HTTPException, Failed):
                while len(codes) < 5000:
                    codes.append(onward.link(email))
            expect(onward.process.wait(60) == os.EX_IOERR, f"it ends with {onward.process.returncode}")
            tracer.wait()
            expect('"level":"critical"' in onward.log.read_text(), "the log says why")
        with Onward(folder) as onward:
            answer = onward.press(onward.get(codes[-1]).text, newPassword="brand new horse 8")
            expect(answer.status in (200, 303) and onward.can_sign_in(email, "brand new horse 8"), "the last code works")
        with contextlib.closing(sqlite3.connect(database)) as store:
            expect(store.execute("SELECT count(*) FROM code").fetchone()[0] >= len(codes), "each code that was told of is there")
            expect(store.execute("PRAGMA integrity_check").fetchall() == [("ok",)], "the file is whole")
    return f"ended after {len(codes)} codes, all there"


def through(onward, begin, end):
    """What must hold from before a fault until after it."""
    accounts = [onward.account()[0] for _ in range(3)]
    links = [onward.link(email) for email in accounts]
    pages = [onward.get(link).text for link in links]
    begin()
    try:
        def refuses():
            begin()
            return onward.account()[1] == 503 and onward.get("/readyz").status == 503

        eventually(refuses, "it says that it cannot write")
        with Others(onward) as others:
            expect(onward.get(links[0]).status == 200, "pages are shown")
            for link, page in zip(links, pages):
                answer = onward.press(page, newPassword="brand new horse 8")
                expect(answer.status == 503, f"a press is answered {answer.status}")
                expect("<html" in answer.text and "form" in answer.text, "a page says to try again")
            expect(onward.get("/readyz").status == 503, "it still says so")
        expect(not others.failures, str(others))
    finally:
        end()
    start = time.monotonic()
    eventually(lambda: onward.get("/readyz").status == 200, "it is ready again")
    recovered = time.monotonic() - start
    for email, link in zip(accounts, links):
        expect(onward.can_sign_in(email, "correct horse 7"), "nothing was half done: the old password is the password")
        answer = onward.press(onward.get(link).text, newPassword="brand new horse 8")
        expect(answer.status in (200, 303), f"the code still works: {answer.status}")
        expect(onward.can_sign_in(email, "brand new horse 8"), "and has its effect")
    with contextlib.closing(sqlite3.connect(onward.folder / "onward.sqlite")) as database:
        expect(database.execute("PRAGMA integrity_check").fetchall() == [("ok",)], "the file is whole")
    return f"ready {recovered:.1f} s after the end of it; meanwhile {others}"


CHECKS = [disk, io, sync]
