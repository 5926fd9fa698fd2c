"""Several Onward processes on one PostgreSQL with a synchronous stand-by, behind haproxy, with a mail sink, for `nodes`."""

import contextlib
import os
import pathlib
import pwd
import re
import shutil
import signal
import socketserver
import subprocess
import sys
import tempfile
import threading

from onward import Onward, Skipped, binary, eventually, expect, free_ports, run

USER = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] if os.geteuid() == 0 else []


def postgres(program):
    folders = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin"), key=lambda folder: int(folder.parent.name), reverse=True)
    return str(next((folder / program for folder in folders if (folder / program).exists()), shutil.which(program) or program))


class Server:
    """One PostgreSQL server."""

    def __init__(self, folder, name, port):
        self.folder, self.name, self.port = folder / name, name, port
        self.log = folder / f"{name}.log"

    def run(self, program, *words):
        return run(*USER, postgres(program), "-D", self.folder, *words)

    def create(self):
        self.run("initdb", "--no-sync", "--auth=trust", "--username=postgres", "--encoding=UTF8", "--locale=C")
        settings = {
            "listen_addresses": "'127.0.0.1'", "unix_socket_directories": "''", "max_connections": 200, "shared_buffers": "'128MB'",
            "wal_log_hints": "on", "synchronous_commit": "on", "max_wal_senders": 5, "wal_keep_size": "'256MB'",
        }
        with open(self.folder / "postgresql.conf", "a") as file:
            file.writelines(f"{name} = {value}\n" for name, value in settings.items())

    def copy(self, primary):
        """Becomes a stand-by of a primary."""
        run(*USER, postgres("pg_basebackup"), "-D", self.folder, "-R", "-X", "stream", "--checkpoint=fast",
            "-d", f"host=127.0.0.1 port={primary.port} user=postgres application_name={self.name}")

    def start(self):
        self.run("pg_ctl", "-w", "-l", self.log, "-o", f"-p {self.port}", "start")

    def stop(self, mode="immediate"):
        self.run("pg_ctl", "-m", mode, "stop")

    def kill(self):
        """As a machine that loses its power: every process at once."""
        for pid in self.processes():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        (self.folder / "postmaster.pid").unlink(missing_ok=True)

    def signal(self, number):
        for pid in self.processes():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)

    def processes(self):
        with contextlib.suppress(FileNotFoundError):
            pid = int((self.folder / "postmaster.pid").read_text().split()[0])
            children = subprocess.run(["pgrep", "-P", str(pid)], capture_output=True, text=True).stdout.split()
            return [pid, *map(int, children)]
        return []

    def promote(self):
        self.run("pg_ctl", "-w", "promote")

    def ask(self, sql, database="onward"):
        return run("psql", "-XAtq", "-v", "ON_ERROR_STOP=1", f"postgresql://postgres@127.0.0.1:{self.port}/{database}", "-c", sql).strip()


class Sink:
    """An SMTP server that remembers the recipients of every mail."""

    def __init__(self):
        self.recipients, self.lock = [], threading.Lock()
        sink = self

        class Session(socketserver.StreamRequestHandler):
            def say(self, line):
                self.wfile.write(line + b"\r\n")

            def handle(self):
                self.say(b"220 sink")
                to, isData = [], False
                for line in self.rfile:
                    word = line.strip().upper()
                    if isData:
                        if line == b".\r\n":
                            with sink.lock:
                                sink.recipients += to
                            to, isData = [], False
                            self.say(b"250 taken")
                    elif word.startswith(b"RCPT"):
                        to.append(line.decode().split("<")[1].split(">")[0])
                        self.say(b"250 ok")
                    elif word == b"DATA":
                        isData = True
                        self.say(b"354 go on")
                    elif word == b"QUIT":
                        self.say(b"221 bye")
                        return
                    else:
                        self.say(b"250 ok")

        class Listener(socketserver.ThreadingTCPServer):
            allow_reuse_address, daemon_threads, request_queue_size = True, True, 128

            def handle_error(self, request, client_address):
                """A node that is killed leaves its sessions: nothing to be said."""
                if not isinstance(sys.exc_info()[1], ConnectionError):
                    super().handle_error(request, client_address)

        self.server = Listener(("127.0.0.1", 0), Session)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()


class Cluster:
    """To be used in a `with`: it is ready inside, and gone behind."""

    def __init__(self, nodes=3, disk=None, pooled=False, wired=False):
        """`disk`: the size of the disk of the servers in megabytes; by default they share that of the machine. `pooled`: PgBouncer is between
        the nodes and the primary. `wired`: the last node has a network of its own to the databases, which can be cut."""
        self.temporary = tempfile.TemporaryDirectory(prefix="onward-nodes-")
        self.folder = pathlib.Path(self.temporary.name)
        os.chmod(self.temporary.name, 0o755)
        self.count, self.disk, self.pooled, self.wired, self.wire = nodes, disk, pooled, wired, None

    def __enter__(self):
        self.stack = contextlib.ExitStack()
        try:
            self.begin()
        except BaseException:
            self.__exit__()
            raise
        return self

    def begin(self):
        data = self.folder / "postgresql"
        data.mkdir()
        if self.disk:
            try:
                run("mount", "-t", "tmpfs", "-o", f"size={self.disk}m", "tmpfs", data)
            except subprocess.CalledProcessError as error:
                raise Skipped("no file system can be mounted here") from error
            self.stack.callback(lambda: run("umount", "--lazy", data))
        if USER:
            os.chown(data, pwd.getpwnam("postgres").pw_uid, pwd.getpwnam("postgres").pw_gid)
        ports = free_ports(3 + 3 * self.count)
        self.primary, self.standby = Server(data, "a", ports[0]), Server(data, "b", ports[1])
        self.stack.callback(lambda: [server.kill() for server in (self.primary, self.standby)])
        self.primary.create()
        self.primary.start()
        self.primary.ask("CREATE DATABASE onward", "postgres")
        self.standby.copy(self.primary)
        self.standby.start()
        self.primary.ask("ALTER SYSTEM SET synchronous_standby_names = 'b'")
        self.primary.ask("SELECT pg_reload_conf()")
        eventually(lambda: self.primary.ask("SELECT sync_state FROM pg_stat_replication") == "sync", "the stand-by is synchronous")
        self.sink = Sink()
        self.stack.callback(self.sink.close)
        self.port = ports[2]
        self.nodes = []
        database = self.database(self.primary.port, self.standby.port)
        if self.pooled:
            database = {"url": f"postgresql://postgres@127.0.0.1:{self.pool()}/onward", "preparedStatements": False,
                        "directURL": f"postgresql://postgres@127.0.0.1:{self.primary.port}/onward"}
        for number in range(self.count):
            folder = self.folder / f"node{number}"
            folder.mkdir()
            if self.wired and number == self.count - 1:
                database = self.database(*self.string_wire())
            self.nodes.append(Onward(folder, ports[3 + 3 * number : 6 + 3 * number], settings={
                "publicOrigin": f"http://localhost:{self.port}", "database": database,
                "mail": {"from": "Shop <no-reply@example.com>", "relays": [{"url": f"smtp://127.0.0.1:{self.sink.port}"}]},
            }))
            self.nodes[-1].host = f"localhost:{self.port}"
            self.nodes[-1].command[0] = os.environ.get("ONWARD_OLDER", binary())
        for node in self.nodes:
            self.stack.enter_context(node)
        self.balance()

    @staticmethod
    def database(primary, standby):
        """The setting of a node that reaches the servers at these ports."""
        return {"url": f"postgresql://postgres@127.0.0.1:{primary},127.0.0.1:{standby}/onward",
                "replica": {"url": f"postgresql://postgres@127.0.0.1:{standby}/onward"}}

    def string_wire(self):
        """Starts the network of the last node, and returns the ports at its end. While the process is stopped, nothing arrives; what was sent
        arrives later, as after a cut that TCP has survived."""
        ports = free_ports(2)
        configuration = self.folder / "wire.cfg"
        listeners = "".join(f"listen s{port}\n    bind 127.0.0.1:{port}\n    server s 127.0.0.1:{server.port}\n"
                            for port, server in zip(ports, (self.primary, self.standby)))
        configuration.write_text(f"defaults\n    mode tcp\n    timeout connect 5s\n    timeout client 1h\n    timeout server 1h\n{listeners}")
        self.wire = subprocess.Popen(["haproxy", "-db", "-f", str(configuration)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.stack.callback(self.wire.kill)
        return ports

    def pool(self):
        """Starts PgBouncer in front of the primary: each transaction gets another connection. Returns its port."""
        port = free_ports(1)[0]
        configuration = self.folder / "pgbouncer.ini"
        configuration.write_text(f"""
[databases]
* = host=127.0.0.1 port={self.primary.port} user=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
auth_type = any
pool_mode = transaction
max_client_conn = 1000
unix_socket_dir =
""")
        pooler = subprocess.Popen([*USER, "pgbouncer", str(configuration)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.stack.callback(pooler.kill)
        eventually(lambda: run("psql", "-XAtq", f"postgresql://postgres@127.0.0.1:{port}/onward", "-c", "SELECT 1").strip() == "1", "PgBouncer answers")
        return port

    def balance(self):
        backends = "\n".join(f"    server n{number} 127.0.0.1:{node.port} check inter 200ms fall 1 rise 1" for number, node in enumerate(self.nodes))
        admins = "\n".join(
            f"    server n{number} 127.0.0.1:{node.admin_port} check port {node.port} inter 200ms fall 1 rise 1" for number, node in enumerate(self.nodes))
        self.admin_port = free_ports(1)[0]
        configuration = self.folder / "haproxy.cfg"
        configuration.write_text(f"""
defaults
    mode http
    timeout connect 1s
    timeout client 60s
    timeout server 60s
    option redispatch
    retries 2
    option httpchk GET /readyz
    http-check send hdr Host localhost:{self.port}
listen pages
    bind 127.0.0.1:{self.port}
{backends}
listen admins
    bind 127.0.0.1:{self.admin_port}
{admins}
""")
        proxy = subprocess.Popen(["haproxy", "-db", "-f", str(configuration)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.stack.callback(proxy.kill)
        # What asks the nodes by way of the proxy.
        self.front = self.nodes[0].__class__.__new__(self.nodes[0].__class__)
        self.front.port, self.front.admin_port, self.front.host = self.port, self.admin_port, f"localhost:{self.port}"
        eventually(lambda: self.front.get("/readyz").status == 200, "the proxy answers")

    def __exit__(self, *_):
        self.stack.close()
        self.temporary.cleanup()

    def replica_reads(self, node):
        """The number of reads of a node that the stand-by answered, since it started."""
        text = node.ask("GET", "/metrics", port=node.admin_port).text
        return int(float(re.search(r"^onward_store_replica_reads_total (\S+)$", text, re.M)[1]))

    def upgrade(self, node):
        """Replaces a node by one of the version that is tested; those before are of ONWARD_OLDER, if that names a binary."""
        node.process.terminate()
        expect(node.process.wait(60) == 0, "it ends well")
        node.command[0] = binary()
        self.restart(node)

    def restart(self, node):
        """Starts a node that was killed, as its supervisor would."""
        node.__exit__()
        node.__enter__()
