"""A running `onward serve` and its clients, for the checks beside this file."""

import contextlib
import http.client
import json
import os
import pathlib
import re
import socket
import ssl
import subprocess
import tempfile
import threading
import time
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[2]
SECRET = "a secret of the checks, long enough to be one"
# Seconds. Only a fault makes a check wait so long, even on a quarter of a core.
PATIENCE = 600
LIMITS = ["passwordsPerAccountAndSource", "mailsPerAddress", "mailsPerSource", "signUpsPerSource", "wrongCodesPerSource"]


def binary():
    places = [os.environ["ONWARD_BINARY"]] if "ONWARD_BINARY" in os.environ else [ROOT / ".build" / kind / "onward" for kind in ("debug", "release")]
    return str(next(place for place in places if os.access(place, os.X_OK)))


def free_ports(count):
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


class Onward:
    """To be used in a `with`: it is ready inside, and gone behind."""

    def __init__(self, folder=None, ports=None, wrap=(), tls=False, settings=None):
        self.temporary = None if folder else tempfile.TemporaryDirectory(prefix="onward-faults-")
        self.folder = pathlib.Path(folder or self.temporary.name)
        self.port, self.admin_port, self.tls_port = ports or free_ports(3)
        self.host = f"localhost:{self.tls_port if tls else self.port}"
        self.log = self.folder / "log"
        self.command = [*wrap, binary(), "serve", "--config", str(self.folder / "onward.yaml")]
        configuration = {
            "listen": [f"127.0.0.1:{self.port}"], "adminListen": [f"127.0.0.1:{self.admin_port}"],
            "publicOrigin": f"{'https' if tls else 'http'}://{self.host}", "secret": {"env": "ONWARD_SECRET"},
            "database": {"path": str(self.folder / "onward.sqlite")}, "abuseLimits": dict.fromkeys(LIMITS, "off"), "mail": "none",
            "projects": [{"id": "shop", "displayName": "Shop", "apiKeys": ["shop-key-1"], "authorizedDomains": ["example.com"],
                          "confirmBy": "press"}],
        } | (settings or {})
        if tls:
            key, certificate = self.folder / "key", self.folder / "certificate"
            run("openssl", "req", "-x509", "-nodes", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-days", "30", "-subj", "/CN=localhost",
                "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", certificate)
            os.chmod(key, 0o600)
            configuration |= {"listenTLS": [f"127.0.0.1:{self.tls_port}"], "tls": [{"certificate": str(certificate), "privateKey": str(key)}]}
        # JSON is YAML.
        (self.folder / "onward.yaml").write_text(json.dumps(configuration))

    def __enter__(self):
        def starts():
            return self.log.read_bytes().count(b'"message":"listening"') if self.log.exists() else 0

        before = starts()
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(self.command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=os.environ | {"ONWARD_SECRET": SECRET})
        try:
            # Its own word, as another may listen at the same port.
            eventually(lambda: starts() > before, "it listens")
            eventually(lambda: self.get("/readyz").status == 200, "it is ready")
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(60)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        if self.temporary:
            self.temporary.cleanup()

    # What it uses.

    @property
    def resident(self):
        """Bytes."""
        return int(re.search(r"VmRSS:\s+(\d+)", pathlib.Path(f"/proc/{self.process.pid}/status").read_text())[1]) * 1024

    @property
    def descriptors(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    @property
    def processor_seconds(self):
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    # What it is asked.

    def connect(self, **options):
        """A plain socket."""
        return socket.create_connection(("127.0.0.1", self.port), timeout=options.get("timeout", PATIENCE))

    def connect_tls(self):
        return insecure.wrap_socket(socket.create_connection(("127.0.0.1", self.tls_port), timeout=PATIENCE), server_hostname="localhost")

    def request(self, path, fields=""):
        return f"GET {path} HTTP/1.1\r\nHost: {self.host}\r\n{fields}\r\n".encode()

    def ask(self, method, path, body=None, headers=None, port=None, timeout=PATIENCE):
        connection = http.client.HTTPConnection("127.0.0.1", port or self.port, timeout=timeout)
        host = {"Host": f"127.0.0.1:{port}" if port else self.host}
        with contextlib.closing(connection):
            connection.request(method, path, body, host | (headers or {}))
            answer = connection.getresponse()
            answer.text = answer.read().decode()
            return answer

    def get(self, path, **options):
        return self.ask("GET", path, **options)

    def api(self, method, body, admin=False, timeout=PATIENCE):
        headers = {"Content-Type": "application/json"} | ({"Authorization": "Bearer owner"} if admin else {})
        return self.ask("POST", f"/identitytoolkit.googleapis.com/v1/accounts:{method}?key=shop-key-1", json.dumps(body), headers,
                        self.admin_port if admin else None, timeout)

    def account(self):
        email = f"p{os.urandom(5).hex()}@example.com"
        answer = self.api("signUp", {"email": email, "password": "correct horse 7", "returnSecureToken": True})
        return email, answer.status

    def link(self, email, kind="PASSWORD_RESET"):
        """Path and query of a link with a new code."""
        answer = self.api("sendOobCode", {"requestType": kind, "email": email, "returnOobLink": True}, admin=True)
        if answer.status != 200:
            raise Failed(f"no link: {answer.status} {answer.text}")
        parts = urllib.parse.urlsplit(json.loads(answer.text)["oobLink"])
        return f"{parts.path}?{parts.query}"

    def press(self, page, **typed):
        """Presses the main button of a page that was opened: that of its first form."""
        form = re.search(r'<form method="post".*?</form>', page, re.DOTALL)[0]
        fields = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)">', form)) | typed
        return self.ask("POST", "/__/auth/action", urllib.parse.urlencode(fields), {"Content-Type": "application/x-www-form-urlencoded"})

    def can_sign_in(self, email, password):
        return self.api("signInWithPassword", {"email": email, "password": password}).status == 200


insecure = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
insecure.check_hostname, insecure.verify_mode = False, ssl.CERT_NONE


class Failed(Exception):
    pass


class Skipped(Exception):
    pass


def expect(condition, sentence):
    if not condition:
        raise Failed(sentence)


def eventually(condition, sentence, seconds=PATIENCE):
    deadline = time.monotonic() + seconds
    while True:
        try:
            if condition():
                return
        except OSError:
            pass
        expect(time.monotonic() < deadline, f"within {seconds} s: {sentence}")
        time.sleep(0.02)


def run(*words, **options):
    return subprocess.run([str(word) for word in words], check=True, capture_output=True, text=True, **options).stdout


def needs(*programs):
    import shutil

    for program in programs:
        if not shutil.which(program):
            raise Skipped(f"{program} is not installed")


class Others:
    """Another client that sends requests all the while, each over a new connection; `p99` in seconds."""

    def __init__(self, onward, path="/healthz"):
        self.onward, self.path = onward, path
        self.times, self.failures, self.isOver = [], [], False
        self.thread = threading.Thread(target=self.go)

    def go(self):
        while not self.isOver:
            start = time.monotonic()
            try:
                answer = self.onward.get(self.path, timeout=20)
                if answer.status != 200:
                    self.failures.append(answer.status)
            except OSError as error:
                self.failures.append(error)
            self.times.append(time.monotonic() - start)
            time.sleep(0.005)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.isOver = True
        self.thread.join()

    @property
    def p99(self):
        return sorted(self.times)[int(len(self.times) * 0.99)]

    def __str__(self):
        return f"others' p99 {self.p99 * 1000:.1f} ms, longest {max(self.times) * 1000:.0f} ms of {len(self.times)}, {len(self.failures)} failed"
