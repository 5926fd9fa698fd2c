"""The servers that are measured. Each is started for one measurement, polled until it is ready, and stopped."""
import http.client
import os
import shutil
import signal
import ssl
import subprocess
import time
from pathlib import Path

from .machine import CORES, ROOT, cpu_seconds, fail, free_port, output, resident, tool
from .stores import API_KEY, HOST, LINK_DOMAIN, SECRET

PEER_BUILD = Path("/tmp/bench-peer")

def build():
    """Sets the paths of both binaries: those that ONWARD and PEER name, or freshly built ones."""
    if "ONWARD" not in os.environ:
        subprocess.run([ROOT / "Scripts/start", "--build-only"], check=True, stdout=2)
    if "PEER" not in os.environ:
        # The peer is built with the flags of Onward.
        build = f'source {ROOT}/Scripts/machine && nice swift build "${{release_flags[@]}}"'
        subprocess.run(
            ["bash", "-c", f"{build} --package-path {ROOT}/Benchmarks/Peer --scratch-path {PEER_BUILD}"], check=True, stdout=2)
    Onward.binary = os.environ.get("ONWARD", ROOT / ".build/release/onward")
    Peer.binary = os.environ.get("PEER", PEER_BUILD / "release/peer")


class Server:
    """A server process, ready inside of `with`. Its folder holds its configuration and log."""

    is_secure = False
    ready_path = "/healthz"

    def __init__(self, folder, sync_delay=0):
        self.folder = Path(folder)
        self.port = free_port()
        self.environment = {**os.environ, "ONWARD_SECRET": SECRET}
        if sync_delay:
            self.environment |= {"LD_PRELOAD": str(tool("sync.so")), "SYNC_DELAY_US": str(sync_delay)}

    def __enter__(self):
        command = [str(word) for word in self.command()]
        self.log = open(self.folder / f"log-{self.port}", "w+")
        self.started = time.perf_counter()
        self.process = subprocess.Popen(command, env=self.environment, stdout=self.log, stderr=self.log)
        try:
            while not self.answers():
                if self.process.poll() is not None or time.perf_counter() - self.started > 30:
                    fail(f"{command[0]} did not come up: {Path(self.log.name).read_text()}")
                time.sleep(0.0005)
        except BaseException:
            self.process.kill()
            raise
        self.ready_ms = (time.perf_counter() - self.started) * 1000
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(30)
        finally:
            self.process.kill()
            self.log.close()

    def answers(self):
        try:
            return self.get(self.ready_path)[0] == 200
        except OSError:
            return False

    def get(self, path):
        """Returns status and body."""
        if self.is_secure:
            connection = http.client.HTTPSConnection("127.0.0.1", self.port, timeout=5, context=ssl._create_unverified_context())
        else:
            connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=5)
        connection.request("GET", path, headers={"Host": HOST})
        response = connection.getresponse()
        return response.status, response.read()

    def ask(self, path, key, body=None):
        """Asks as an admin. Returns status and body."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        fields = {"Host": HOST, "Authorization": f"Bearer {key}", "Content-Type": "application/json"}
        connection.request("POST" if body else "GET", path, body=body, headers=fields)
        response = connection.getresponse()
        return response.status, response.read()

    def cpu(self):
        return cpu_seconds(self.process.pid)

    def resident(self, key="VmRSS"):
        return resident(self.process.pid, key)


APPS = "{apple: [{bundleID: com.example.app, teamID: ABCDE12345, appStoreID: 123}], android: [{packageName: com.example.app}]}"
MAIL_LIMITS = ["mailsPerAddress", "mailsPerAccount", "mailsPerSource"]


class Onward(Server):
    """`onward serve` with a usual configuration, `without` these limits; `database` is a path or, in braces, a value of YAML. The log level is warning, because the peers write no access log."""

    ready_path = "/readyz"

    def __init__(self, database, identity=None, sync_delay=0, folder=None, is_upstream=False, authority="local", without=(),
        relay=None, has_links=False, project="",
    ):
        super().__init__(folder or Path(database).parent, sync_delay)
        self.database = database
        # An upstream is addressed by IP address and port.
        self.host = f"127.0.0.1:{self.port}" if is_upstream else HOST
        self.is_secure = identity is not None
        listen = f"listen: []\nlistenTLS: ['127.0.0.1:{self.port}']\ntls: [{{certificate: {identity}.crt, privateKey: {identity}.key}}]"
        self.configuration = self.folder / f"onward-{self.port}.yaml"
        pace = ", mail: {mailsPerMinute: 1000000}" if relay else ""
        links = f", linkDomains: [{LINK_DOMAIN}], apps: {APPS}" if has_links else ""
        self.configuration.write_text(f"""
{listen if identity else f"listen: ['127.0.0.1:{self.port}']"}
publicOrigin: {"https" if identity else "http"}://{self.host}
secret: {{env: ONWARD_SECRET}}
database: {database if str(database).startswith("{") else f"{{path: {database}}}"}
resources: {ROOT}
log: {{level: warning}}
mail: {f"{{from: no-reply@example.com, relays: [{{url: 'smtp://127.0.0.1:{relay}'}}]}}" if relay else "none"}
abuseLimits: {{{", ".join(f"{limit}: off" for limit in without)}}}
projects:
  - {{id: bench, displayName: Bench, apiKeys: [{API_KEY}], authorizedDomains: [example.com], authority: "{authority}", confirmBy: press{pace}{links}{project}}}
""")

    def command(self):
        return [self.binary, "serve", "--config", self.configuration]


class Peer(Server):
    """Hummingbird with GRDB, with as many event loops as Onward."""

    def __init__(self, database, sync_delay=0):
        super().__init__(Path(database).parent, sync_delay)
        self.database = database

    def command(self):
        return [self.binary, self.port, self.database, CORES]


class Nginx(Server):
    """nginx configured for speed by its manual: a worker and a socket per core, no log, cached open files."""

    def __init__(self, folder, files=None, identity=None):
        super().__init__(folder)
        self.is_secure = identity is not None
        self.configuration = self.folder / f"nginx-{self.port}.conf"
        secured = f"ssl_certificate {identity}.crt; ssl_certificate_key {identity}.key; ssl_protocols TLSv1.2 TLSv1.3;"
        self.configuration.write_text(f"""
daemon off; pid {self.folder}/nginx-{self.port}.pid; error_log stderr error;
{"user root;" if os.geteuid() == 0 else ""}
worker_processes {CORES};
events {{ worker_connections 4096; }}
http {{
    access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000000; server_tokens off;
    open_file_cache max=100; types {{ text/css css; }}
    client_body_temp_path {self.folder}/nginx-body; proxy_temp_path {self.folder}/nginx-proxy;
    fastcgi_temp_path {self.folder}/nginx-fastcgi; uwsgi_temp_path {self.folder}/nginx-uwsgi; scgi_temp_path {self.folder}/nginx-scgi;
    server {{
        listen 127.0.0.1:{self.port} {"ssl" if identity else ""} reuseport;
        {secured if identity else ""}
        root {files or self.folder};
        location = /healthz {{ default_type text/plain; return 200 "ok\\n"; }}
        location /p {{ return 302 "https://example.com/p/1?utm_source=mail"; }}
    }}
}}
""")

    def command(self):
        return [shutil.which("nginx"), "-c", self.configuration, "-p", self.folder, "-e", "stderr"]


def identity(folder):
    """Creates a self-signed ECDSA P-256 certificate for localhost. Returns the path of both files, without .crt and .key."""
    path = Path(folder) / "identity"
    output(
        "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "30", "-subj", "/CN=localhost",
        "-addext", "subjectAltName=DNS:localhost", "-keyout", f"{path}.key", "-out", f"{path}.crt")
    os.chmod(f"{path}.key", 0o600)
    return path
