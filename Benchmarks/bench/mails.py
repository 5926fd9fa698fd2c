"""Delivery of mails: how many a second one relay takes, and how soon the first is there. The relay is Postfix's smtp-sink, which accepts
everything and stores nothing."""
import contextlib
import http.client
import json
import smtplib
import socket
import socketserver
import sqlite3
import subprocess
import threading
import time

from . import stores
from .machine import fail, free_port, load
from .servers import MAIL_LIMITS, Onward

MAILS, FILL_SECONDS, CONNECTIONS = 10_000, 20, 4
# As long as a mail of Onward's, so that every client sends as many bytes.
LINE, LINES = b"x" * 70 + b"\r\n", 170


@contextlib.contextmanager
def sink():
    """Yields the port of a relay."""
    port = free_port()
    process = subprocess.Popen(["smtp-sink", "-u", "nobody", f"127.0.0.1:{port}", "256"], stderr=subprocess.DEVNULL)
    try:
        for _ in range(200):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
                break
            time.sleep(0.01)
        yield port
    finally:
        process.kill()
        process.wait()


def waiting(database):
    with contextlib.closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as db:
        return db.execute("SELECT count(*) FROM mail WHERE ending IS NULL").fetchone()[0]


def deliver(bench):
    """Delivers mails that a server without a relay has queued; requests and deliveries do not share the cores."""
    database = bench.copy(bench.store)
    requests = stores.write_sends(bench.folder / "sends-of-mails", range(MAILS), stores.HOST)
    with Onward(database, without=MAIL_LIMITS) as server:
        load("steady", server.port, 64, 0, FILL_SECONDS, requests)
    queued = waiting(database)
    if queued != MAILS:
        fail(f"{queued} mails are queued, {MAILS} were asked for")
    with sink() as port, Onward(database, relay=port) as server:
        while left := waiting(database):
            if time.perf_counter() - server.started > 120:
                fail(f"{left} mails were not delivered")
            time.sleep(0.02)
        seconds = time.perf_counter() - server.started - server.ready_ms / 1000
        return {"rate": queued / seconds, "count": queued, "per_cpu": queued / server.cpu()}


def smtp_source(bench):
    """Postfix's own load generator, on as many connections as Onward opens to a relay."""
    with sink() as port:
        started = time.perf_counter()
        length = len(LINE) * LINES
        subprocess.run(
            ["smtp-source", "-d", "-s", str(CONNECTIONS), "-m", str(MAILS), "-l", str(length), "-f", "a@example.com", "-t",
             "b@example.com", f"127.0.0.1:{port}"], check=True)
        return {"rate": MAILS / (time.perf_counter() - started)}


def smtplib_client(bench):
    """Python's client on one connection, with a message that was made in advance."""
    message = b"From: a@example.com\r\nTo: b@example.com\r\nSubject: Bench\r\n\r\n" + LINE * LINES
    with sink() as port, smtplib.SMTP("127.0.0.1", port) as client:
        count, started = 0, time.perf_counter()
        while time.perf_counter() - started < bench.seconds:
            client.sendmail("a@example.com", "b@example.com", message)
            count += 1
        return {"rate": count / (time.perf_counter() - started)}


class Clock(socketserver.StreamRequestHandler):
    """A relay that notes when it accepted each mail."""

    def handle(self):
        def say(line):
            self.wfile.write(line + b"\r\n")

        say(b"220 clock ESMTP")
        is_message = False
        for line in self.rfile:
            if is_message:
                if line == b".\r\n":
                    is_message = False
                    say(b"250 2.0.0 queued")
                    self.server.accepted.put_nowait(time.perf_counter())
                continue
            word = line[:4].upper()
            is_message = word == b"DATA"
            say(b"354 go ahead" if is_message else b"221 bye" if word == b"QUIT" else b"250 2.0.0 ok")
            if word == b"QUIT":
                return


def first_acceptance(bench):
    """The time from a request to the relay's acceptance of its mail, one after the other on an idle server."""
    import queue

    class Server(socketserver.ThreadingTCPServer):
        daemon_threads = True

    with Server(("127.0.0.1", 0), Clock) as clock:
        clock.accepted = queue.Queue()
        threading.Thread(target=clock.serve_forever, daemon=True).start()
        with Onward(bench.copy(bench.store), without=MAIL_LIMITS, relay=clock.server_address[1]) as server:
            times = []
            connection = http.client.HTTPConnection("127.0.0.1", server.port)
            for number in range(210):
                started = time.perf_counter()
                body = json.dumps({"requestType": "PASSWORD_RESET", "email": f"user{number}@example.com"})
                connection.request(
                    "POST", f"/v1/accounts:sendOobCode?key={stores.API_KEY}", body,
                    {"Host": server.host, "Content-Type": "application/json"})
                response = connection.getresponse()
                if response.status != 200:
                    fail(f"sendOobCode responded {response.status}: {response.read()}")
                response.read()
                times.append((clock.accepted.get(timeout=30) - started) * 1000)
        clock.shutdown()
    # The first ones warm the server.
    times = sorted(times[10:])
    return {"ms": times[len(times) // 2], "p99": times[int(len(times) * 0.99)]}
