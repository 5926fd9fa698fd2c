"""Onward with a PostgreSQL of its own, beside pgbench on the same server."""
import atexit
import contextlib
import functools
import os
import pathlib
import re
import shutil
import subprocess

from . import stores
from .machine import CACHE, fail, free_port, load, output, tool, wake_memory
from .servers import Onward

CONNECTIONS, SCALE = 8, 15


def program(name):
    """Debian keeps the programs of a server out of PATH."""
    folders = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin"), key=lambda folder: int(folder.parent.name), reverse=True)
    found = [str(folder / name) for folder in folders if (folder / name).exists()] or [shutil.which(name)]
    return found[0] or fail(f"{name} is missing: apt-get install postgresql")


class Cluster:
    """A server with its defaults, apart from memory, which keeps its databases in the folder of the cache."""

    def __init__(self):
        self.folder = CACHE / "postgresql"
        self.user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] if os.geteuid() == 0 else []
        self.port = free_port()
        self.copies = 0

    def run(self, name, *words):
        return output(*self.user, program(name), "-D", self.folder, *words)

    def start(self):
        if not (self.folder / "PG_VERSION").exists():
            shutil.rmtree(self.folder, ignore_errors=True)
            self.folder.mkdir()
            if self.user:
                shutil.chown(self.folder, "postgres", "postgres")
                os.chmod(CACHE, 0o755)
            self.run("initdb", "--auth=trust", "--username=postgres", "--encoding=UTF8", "--locale=C")
        settings = {"listen_addresses": "127.0.0.1", "port": self.port, "unix_socket_directories": "/tmp", "shared_buffers": "1GB",
                    "max_connections": 200, "max_wal_size": "4GB"}
        options = " ".join(f"-c {name}={value}" for name, value in settings.items())
        self.run("pg_ctl", "-w", "-l", self.folder / "log", "-o", options, "start")

    def stop(self):
        self.run("pg_ctl", "-m", "fast", "stop")

    def url(self, database):
        return f"postgresql://postgres@127.0.0.1:{self.port}/{database}"

    def ask(self, sql, database="postgres"):
        return output("psql", "-XAtq", "-v", "ON_ERROR_STOP=1", self.url(database), "-c", sql).strip()

    def databases(self):
        return self.ask("SELECT datname FROM pg_database").split()

    def filled(self, store):
        """A database with the rows of an SQLite store, made once."""
        name = "filled_" + re.sub(r"\W", "_", pathlib.Path(store).stem)
        if name not in self.databases():
            self.ask(f"CREATE DATABASE {name}_part")
            output(Onward.binary, "store", "copy", "--from", f"sqlite:{store}", "--to", self.url(f"{name}_part"))
            self.ask("VACUUM ANALYZE", f"{name}_part")
            self.ask(f"ALTER DATABASE {name}_part RENAME TO {name}")
        return name

    @contextlib.contextmanager
    def copy(self, template):
        self.copies += 1
        name = f"copy_{os.getpid()}_{self.copies}"
        self.ask(f"CREATE DATABASE {name} TEMPLATE {template}")
        self.ask("CHECKPOINT")
        try:
            yield name
        finally:
            self.ask(f"DROP DATABASE {name} WITH (FORCE)")

    @functools.cached_property
    def pgbench(self):
        """The database of pgbench's own transactions."""
        if "pgbench" not in self.databases():
            self.ask("CREATE DATABASE pgbench")
            output(program("pgbench"), "-i", "-q", "-s", SCALE, self.url("pgbench"))
        return "pgbench"


@functools.cache
def cluster():
    found = Cluster()
    found.start()
    atexit.register(found.stop)
    return found


# What applying a code to verify an address is for the server: the same transactions, statements, pipelines and isolation,
# and codes in no order either.
APPLYING = f"""
\\set i :i + 1
\\set row {stores.row_id(0)} + permute(:client_id * 8000 + :i, :accounts)
\\startpipeline
BEGIN ISOLATION LEVEL SERIALIZABLE;
SELECT * FROM code WHERE row_id = :row;
\\endpipeline
\\startpipeline
UPDATE code SET ending = 'used', ended_at = created_at WHERE row_id = :row AND ending IS NULL AND expires_at > 1;
UPDATE account SET email_verified = 1 WHERE project = 'bench' AND id = (SELECT account FROM code WHERE row_id = :row) AND disabled = 0;
UPDATE commit_slot SET sequence = sequence + 1, used_at = (extract(epoch FROM now()) * 1000)::bigint WHERE id = :client_id;
COMMIT;
\\endpipeline
"""


def rate(said):
    if "failed transactions: 0 " not in said:
        fail(f"pgbench: {said}")
    return {"rate": float(re.search(r"tps = ([\d.]+)", said)[1]), "count": float(re.search(r"actually processed: (\d+)", said)[1])}


def pgbench_applies(bench, accounts):
    script = bench.folder / "applying.sql"
    script.write_text(APPLYING)
    found = cluster()
    with found.copy(found.filled(bench.store)) as name:
        found.ask(f"INSERT INTO commit_slot SELECT n, 0, 0 FROM generate_series(0, {CONNECTIONS - 1}) AS n", name)
        wake_memory()
        return rate(output(
            program("pgbench"), "-n", "-M", "prepared", "-c", CONNECTIONS, "-j", 1, "-T", round(bench.seconds), "-D", "i=0",
            "-D", f"accounts={accounts}", "-f", script, "--max-tries=100", found.url(name), env=os.environ | {"PGOPTIONS": "-c enable_seqscan=off"}))


def pgbench_reads(bench):
    found = cluster()
    wake_memory()
    return rate(output(
        program("pgbench"), "-n", "-S", "-M", "prepared", "-c", CONNECTIONS, "-j", 1, "-T", round(bench.seconds), found.url(found.pgbench)))


@contextlib.contextmanager
def nodes(bench, count):
    """Onward processes on one copy of the store."""
    found = cluster()
    with found.copy(found.filled(bench.store)) as name, contextlib.ExitStack() as stack:
        folders = [bench.folder / f"node-{name}-{number}" for number in range(count)]
        servers = []
        for folder in folders:
            folder.mkdir()
            setting = f"{{url: '{found.url(name)}', maxConnections: {CONNECTIONS // count}}}"
            servers.append(stack.enter_context(Onward(setting, folder=folder)))
        yield name, servers


def page(bench, get_pages):
    with nodes(bench, 1) as (_, servers):
        get_pages(bench, servers[0], 1)
        wake_memory()
        return get_pages(bench, servers[0], bench.seconds)


def applies(bench, count, accounts, warm):
    """Applies codes through so many nodes, each with its share of 64 clients."""
    with nodes(bench, count) as (name, servers):
        share = (accounts - warm) // count
        parts = [bench.posts(accounts, warm + number * share, warm + (number + 1) * share) for number in range(count)]
        load("steady", servers[0].port, 64, 0, 10, bench.posts(accounts, 0, warm))
        wake_memory()
        figures = at_once("steady", [(server.port, 64 // count, 0, bench.seconds, part) for server, part in zip(servers, parts)])
        used = int(cluster().ask("SELECT count(*) FROM code WHERE ending = 'used'", name))
        if used != figures["count"] + warm:
            fail(f"{used} codes were used, {figures['count'] + warm:.0f} responses were successful")
        return figures


def applies_at_half(bench, accounts, warm):
    with nodes(bench, 1) as (_, servers):
        highest = load("steady", servers[0].port, 64, 0, 2, bench.posts(accounts, 0, accounts // 2))["rate"]
        wake_memory()
        return load("steady", servers[0].port, 64, highest / 2, bench.seconds, bench.posts(accounts, accounts // 2, accounts))


def at_once(name, many):
    """Runs a load program several times at once. Its rates are added, and the slowest p99 counts."""
    started = [subprocess.Popen([str(word) for word in (tool(name), *arguments)], stdout=subprocess.PIPE, text=True) for arguments in many]
    said = [process.communicate()[0].split() for process in started]
    figures = [{key: float(value) for key, value in zip(words[::2], words[1::2])} for words in said]
    if any(figure["failed"] for figure in figures):
        fail(f"{name}: {sum(figure['failed'] for figure in figures):.0f} requests failed")
    return {"rate": sum(figure["rate"] for figure in figures), "count": sum(figure["requests"] for figure in figures),
            "p99": max(figure["p99"] for figure in figures)}
