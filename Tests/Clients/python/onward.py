"""A running Onward: the real program with its own folder, ports and log."""

import json
import os
import pathlib
import socket
import subprocess
import time
import uuid

import requests

ROOT = pathlib.Path(__file__).resolve().parents[3]
# Seconds. Only a fault makes a test wait so long, even on a quarter of a core.
PATIENCE = 600


def binary():
    """The program: ONWARD_BINARY, else the debug build, else the release build."""
    named = os.environ.get("ONWARD_BINARY")
    places = [pathlib.Path(named)] if named else [ROOT / ".build" / kind / "onward" for kind in ("debug", "release")]
    for place in places:
        if os.access(place, os.X_OK):
            return str(place)
    raise FileNotFoundError(f"No onward at {' or '.join(map(str, places))}: build it, or name one in ONWARD_BINARY.")


def free_ports(count):
    """Free ports. They differ because each is held until the last is found."""
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


class Onward:
    """A context manager: the server is ready inside the `with` block and has ended after it."""

    project = "demo-project"
    api_key = "demo-api-key"
    password = "correct horse 7"

    def __init__(self, folder, kind, arguments, port, admin_port, link_origin):
        self.kind = kind
        self.origin = f"http://localhost:{port}"
        # The value of FIREBASE_AUTH_EMULATOR_HOST.
        self.admin_host = f"127.0.0.1:{admin_port}"
        # The origin of links that an app opens.
        self.link_origin = link_origin
        self.command = [binary(), *arguments]
        self.log_path = folder / "log"

    @property
    def log(self):
        return self.log_path.read_text(errors="replace")

    def complete_log(self):
        """The log with all lines of what was answered before. The server writes its log beside its answers."""
        marker = f"/{uuid.uuid4()}"
        requests.get(self.origin + marker, timeout=PATIENCE)
        deadline = time.monotonic() + PATIENCE
        while marker not in (log := self.log):
            assert time.monotonic() < deadline, f"the log has no line of a request for {marker}"
            time.sleep(0.02)
        return log

    def __enter__(self):
        environment = os.environ | {"ONWARD_SECRET": "a secret of the tests, long enough to be one"}
        with self.log_path.open("wb") as log:
            self.process = subprocess.Popen(
                self.command, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT, env=environment)
        try:
            for host in {self.origin.removeprefix("http://"), self.admin_host}:
                self._wait_for(host)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def _wait_for(self, host):
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            if self.process.poll() is not None:
                raise RuntimeError(f"{' '.join(self.command)} ended with {self.process.returncode}:\n{self.log}")
            try:
                requests.get(f"http://{host}/healthz", timeout=5)
                return
            except requests.ConnectionError:
                time.sleep(0.02)
        raise RuntimeError(f"{' '.join(self.command)} does not answer at {host}:\n{self.log}")


def dev(folder):
    """A running `onward dev`."""
    [port] = free_ports(1)
    return Onward(folder, "dev", ["dev", "--port", str(port), "--data", str(folder)], port, port, f"http://127.0.0.1:{port}")


def serve(folder, **project):
    """A running `onward serve` with the admin listener that admin SDKs need. Arguments are settings of its project."""
    port, admin_port = free_ports(2)
    configuration = {
        "listen": [f"127.0.0.1:{port}"],
        "adminListen": [f"127.0.0.1:{admin_port}"],
        "publicOrigin": f"http://localhost:{port}",
        "secret": {"env": "ONWARD_SECRET"},
        "database": {"path": str(folder / "onward.sqlite")},
        "idTokenIssuer": "https://securetoken.google.com",
        "mail": "none",
        "projects": [{
            "id": Onward.project,
            "displayName": "Demo App",
            "apiKeys": [Onward.api_key],
            "authorizedDomains": ["localhost", "example.com"],
            "confirmBy": "press",
            "linkDomains": ["links.example.com"],
            "apps": {
                "apple": [{"bundleID": "com.example.app", "teamID": "ABCDE12345"}],
                "android": [{"packageName": "com.example.app", "sha256Fingerprints": [":".join(["AB"] * 32)]}],
            },
        } | project],
    }
    # JSON is YAML.
    (folder / "onward.yaml").write_text(json.dumps(configuration, indent=1))
    arguments = ["serve", "--config", str(folder / "onward.yaml")]
    return Onward(folder, "serve", arguments, port, admin_port, "https://links.example.com")
