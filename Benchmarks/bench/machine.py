"""The machine and its tools: cores, CPU times of processes, load programs."""
import contextlib
import mmap
import os
import resource
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent
ROOT = HERE.parent
# Built tools and seeded databases, kept between runs. It must be on a real disk, because syncs are measured.
CACHE = Path(os.environ.get("BENCH_CACHE", "/tmp/onward-bench"))
CORES = 2
TOOLS = {"steady": [], "handshakes": ["-lssl", "-lcrypto", "-pthread"], "raw": ["-lsqlite3"], "sync.so": ["-shared", "-fPIC", "-ldl"]}


def fail(sentence):
    sys.exit(f"error: {sentence}")


def prepare():
    """Builds the load programs and binds this process, and so every server and load that it starts, to the same two cores."""
    for program, package in {"wrk": "wrk", "nginx": "nginx", "gcc": "gcc", "openssl": "openssl", "smtp-sink": "postfix"}.items():
        if not shutil.which(program):
            fail(f"{program} is missing: apt-get install {package}")
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:CORES])
    descriptors = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (descriptors, descriptors))
    CACHE.mkdir(parents=True, exist_ok=True)
    for name, flags in TOOLS.items():
        source = HERE / "load" / f"{Path(name).stem}.c"
        if not tool(name).exists() or tool(name).stat().st_mtime < source.stat().st_mtime:
            output("gcc", "-O2", "-Wall", "-Wextra", source, "-o", tool(name), *flags)


@contextlib.contextmanager
def on_core(number):
    """Binds the programs that are started inside of `with` to one of the cores; None: to none in particular."""
    cores = os.sched_getaffinity(0)
    if number is not None:
        os.sched_setaffinity(0, {sorted(cores)[number]})
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)


def tool(name):
    return CACHE / name


def folder():
    """Returns a temporary folder for one run, on the disk of the cache."""
    return tempfile.TemporaryDirectory(prefix="run-", dir=CACHE)


def output(*command, **options):
    """Returns what a program prints. If it fails, the run ends with its message."""
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, **options)
    if done.returncode != 0:
        fail(f"{Path(str(command[0])).name} failed: {done.stderr.strip() or done.stdout.strip()}")
    return done.stdout


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def cpu_seconds(process):
    """Returns the CPU time of a process and its children, all threads."""
    tasks = [process, *(int(child) for child in Path(f"/proc/{process}/task/{process}/children").read_text().split())]
    fields = [Path(f"/proc/{task}/stat").read_text().rpartition(")")[2].split() for task in tasks]
    return sum(int(field[11]) + int(field[12]) for field in fields) / os.sysconf("SC_CLK_TCK")


def stolen_seconds():
    """Returns the time that the hypervisor gave to others while one of our cores had work."""
    return int(Path("/proc/stat").read_text().split()[8]) / os.sysconf("SC_CLK_TCK")


def wake_memory():
    """Touches half a GB, so that the host backs it with memory. A virtual machine returns memory that it has not used for
    two seconds, and the next use of each page then costs many microseconds, for example for the write-ahead log."""
    size = 512 << 20
    with mmap.mmap(-1, size) as memory:
        for page in range(0, size, mmap.PAGESIZE):
            memory[page] = 1


def resident(process, key="VmRSS"):
    """Returns resident megabytes: the current value, or the peak with VmHWM."""
    for line in Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith(key + ":"):
            return int(line.split()[1]) / 1024
    raise KeyError(key)


def sync_milliseconds():
    """Returns the median time of a 4 KB write with fdatasync."""
    spans = []
    with tempfile.TemporaryFile(dir=CACHE) as file:
        for _ in range(200):
            file.write(os.urandom(4096))
            file.flush()
            started = time.perf_counter()
            os.fdatasync(file.fileno())
            spans.append((time.perf_counter() - started) * 1000)
    return statistics.median(spans)


def wrk(port, path, seconds, connections=32, script=None, codes=None, fields=(), host="localhost:9020"):
    """Runs wrk with one thread and these header fields and returns the rate. An error response ends the run."""
    span = max(1, round(seconds))
    heads = [word for field in [f"Host: {host}", *fields] for word in ("-H", field)]
    command = ["wrk", "-t1", f"-c{connections}", f"-d{span}s", *heads, f"http://127.0.0.1:{port}{path}"]
    if script:
        command[1:1] = ["-s", str(HERE / "load" / script)]
    said = output(*command, env={**os.environ, "CODES": str(codes)})
    if "Non-2xx" in said or "Socket errors" in said:
        fail(f"wrk of {path}: {said}")
    return {"count": int(words(said, "requests in")), "rate": float(words(said, "Requests/sec:", after=True))}


def words(text, marker, after=False):
    """Returns the word before a marker, or after it."""
    before, _, behind = text.partition(marker)
    return behind.split()[0] if after else before.split()[-1]


def load(name, *arguments):
    """Runs one of our load programs and returns its figures by name. A failed request ends the run."""
    said = output(tool(name), *arguments).split()
    figures = {key: float(value) for key, value in zip(said[::2], said[1::2])}
    if figures["failed"]:
        fail(f"{name} {' '.join(map(str, arguments))}: {int(figures['failed'])} of {int(figures['requests'])} requests failed")
    return {**figures, "count": figures["requests"]}
