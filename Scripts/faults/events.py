"""Back ends that fail, and a server that is killed: no event is lost, and each account's come in order (U5)."""

import base64
import hashlib
import hmac
import http.server
import json
import os
import pathlib
import signal
import tempfile
import threading
import time

from onward import Onward, Others, eventually, expect, free_ports

KEY = os.urandom(32)
# How the back end behaves, in turns.
MOODS = ["well", "500", "slow", "elsewhere", "away", "well"]


class BackEnd:
    """Stores events as `Docs/Events.md` tells it to: verified, each once. `mood` says how it behaves."""

    def __init__(self, port):
        self.port, self.mood = port, "well"
        self.ids, self.kinds, self.wrong, self.lock = set(), {}, [], threading.Lock()
        back_end = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                if back_end.mood == "slow":
                    time.sleep(3)
                status = {"500": 500, "elsewhere": 307}.get(back_end.mood, 204)
                if status == 204:
                    back_end.store(self.headers, body)
                self.send_response(status)
                if status == 307:
                    self.send_header("Location", f"http://127.0.0.1:{port}/elsewhere")
                self.send_header("Content-Length", "0")
                self.end_headers()
                if self.path != "/events":
                    back_end.wrong.append("a redirect was followed")

            def log_message(self, *_):
                pass

        self.handler, self.server = Handler, None
        self.come()

    def come(self):
        http.server.ThreadingHTTPServer.allow_reuse_address = True
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", self.port), self.handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def leave(self):
        self.server.shutdown()
        self.server.server_close()

    def store(self, headers, body):
        signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
        signature = "v1," + base64.b64encode(hmac.digest(KEY, signed, hashlib.sha256)).decode()
        event = json.loads(body)
        with self.lock:
            if headers["webhook-signature"] != signature:
                self.wrong.append("a signature is not right")
            if headers["webhook-id"] not in self.ids:
                self.ids.add(headers["webhook-id"])
                self.kinds.setdefault(event["data"]["localId"], []).append(event["type"])


def events():
    """A back end that fails, is slow, leads elsewhere or is away, and a server that is killed: none is lost, and others notice nothing."""
    with tempfile.TemporaryDirectory(prefix="onward-faults-") as folder:
        secret = pathlib.Path(folder) / "events.secret"
        secret.write_text("whsec_" + base64.b64encode(KEY).decode())
        secret.chmod(0o600)
        ports, port = free_ports(3), free_ports(1)[0]
        back_end, done = BackEnd(port), {}
        settings = {"events": [{"url": f"http://127.0.0.1:{port}/events", "secret": {"file": str(secret)}}]}
        for number, mood in enumerate(MOODS):
            back_end.mood = mood
            if mood == "away":
                back_end.leave()
            with Onward(folder, ports, settings=settings) as onward, Others(onward) as others:
                for account in range(40):
                    name = f"m{number}n{account}"
                    for step, body in enumerate([{}, {"disableUser": True}, {"disableUser": False}]):
                        answer = onward.ask(
                            "POST", "/identitytoolkit.googleapis.com/v1/projects/shop/accounts" + (":update" if step else ""),
                            json.dumps({"localId": name} | body), {"Content-Type": "application/json", "Authorization": "Bearer owner"},
                            onward.admin_port)
                        expect(answer.status == 200, f"{answer.status} {answer.text}")
                        done[name] = step + 1
                others.__exit__()
                expect(not others.failures and others.p99 < 0.2, f"{mood}: {others}")
                onward.process.send_signal(signal.SIGKILL)
                onward.process.wait()
            if mood == "away":
                back_end.come()
        back_end.mood = "well"
        with Onward(folder, ports, settings=settings):
            eventually(lambda: all(len(back_end.kinds.get(name, [])) == count for name, count in done.items()), "it is told of every change")
        back_end.leave()
        expect(not back_end.wrong, "; ".join(set(back_end.wrong)))
        order = ["account.created", "account.disabled", "account.enabled"]
        expect(all(kinds == order for kinds in back_end.kinds.values()), "each account's in order")
        return f"{len(back_end.ids)} events of {len(done)} accounts, none lost; {others}"


CHECKS = [events]
