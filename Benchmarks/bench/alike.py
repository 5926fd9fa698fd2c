"""Pairs of requests whose times must not tell them apart (B1, C13, T6), and the test of Kolmogorov and Smirnov for two samples."""
import base64
import contextlib
import dataclasses
import hashlib
import math
import os
import random
import socket
import sqlite3
import subprocess
import time
from collections.abc import Callable

from . import stores
from .machine import fail
from .stores import API_KEY, HOST

# The chance that a pair without any difference is above the critical value.
ALPHA = 0.001
ACCOUNTS = 200_000
# The limits of sources, which would end a measurement. The one of mails to an address stays: what is beyond it is measured.
LIMITS = ["mailsPerSource", "passwordsPerAccountAndSource", "passwordsPerKnownNetwork", "passwordsPerSource", "wrongCodesPerSource", "refreshesPerSource"]
# The requests for a mail to one address that differ from decoys in a day (mailsPerAddress), all of which its owner gets.
MAILS_A_DAY = 240
# Accounts with a password, the first known ones; and addresses that are asked for more often than their limit allows, the last ones.
WITH_PASSWORD = 20
# Without a common factor with the number of addresses, so each has its turn, in no order.
STRIDE = 38_197


def statistic(a, b):
    """The largest distance between the empirical distributions of two samples."""
    count, distance, seen = {}, 0, [0, 0]
    for side, sample in enumerate((a, b)):
        for value in sample:
            count.setdefault(value, [0, 0])[side] += 1
    for value in sorted(count):
        seen[0] += count[value][0]
        seen[1] += count[value][1]
        distance = max(distance, abs(seen[0] / len(a) - seen[1] / len(b)))
    return distance


def critical(n, m, alpha=ALPHA):
    return math.sqrt(-math.log(alpha / 2) / 2) * math.sqrt((n + m) / (n * m))


@dataclasses.dataclass(frozen=True)
class Pair:
    """Two kinds of requests. Each side returns the bytes of its n-th request; no two are alike, so that no cache knows one side better."""

    requirement: str
    title: str
    sides: tuple[Callable, Callable]
    # Answers that differ tell the two apart anyway, and the row says so instead of failing.
    is_judged: bool = True
    # One of so many samples is taken, where a request costs a password hash.
    one_of: int = 1
    # The most samples of one subject that the limits of Onward allow. A distance that so few cannot show tells nothing.
    reach: int | None = None


class Connection:
    """A connection that stays open. Times run from the first byte of a request to the last of its response."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=60)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def ask(self, request):
        """Returns nanoseconds, status and length of the body."""
        started = time.perf_counter_ns()
        self.socket.sendall(request)
        received = b""
        while b"\r\n\r\n" not in received:
            received += self.more()
        head, _, body = received.partition(b"\r\n\r\n")
        fields = dict(line.lower().split(b": ", 1) for line in head.split(b"\r\n")[1:])
        length = int(fields.get(b"content-length", 0))
        while len(body) < length:
            body += self.more()
        return time.perf_counter_ns() - started, head.split()[1].decode(), length

    def more(self):
        if not (received := self.socket.recv(65_536)):
            fail("the server closed the connection; its log says why")
        return received


def measure(pair, port, samples, offset):
    """Asks both sides in pairs, in each pair in random order, so that what else the machine does hits both alike. Returns two samples."""
    connection, times, answers = Connection(port), ([], []), (set(), set())
    warm = min(samples, 200)
    for number in range(warm + samples):
        # Both are made before one is sent, because the server is slower after a longer pause.
        requests = [side(offset + number) for side in pair.sides]
        for side in random.sample((0, 1), 2):
            nanoseconds, *answer = connection.ask(requests[side])
            answers[side].add(tuple(answer))
            if number >= warm:
                times[side].append(nanoseconds)
    if pair.is_judged and answers[0] != answers[1]:
        fail(f"{pair.title}: the answers differ in status or length: {answers[0]} and {answers[1]}")
    return times


def database(server, target):
    """A copy of a database of accounts with live codes, some with a password."""
    path = stores.copy(stores.onward(server, ACCOUNTS, ACCOUNTS), target)
    salt = b"sixteen bytes of"
    key = hashlib.scrypt(b"a quiet long phrase", salt=salt, n=1 << 14, r=8, p=5, maxmem=1 << 26, dklen=32)
    password = f"$scrypt$ln=14,r=8,p=5${stores.base64url(salt)}${stores.base64url(key)}"
    with contextlib.closing(sqlite3.connect(path)) as db:
        emails = [(password, known(n)) for n in range(WITH_PASSWORD)]
        db.executemany("UPDATE account SET password_hash = ? WHERE email = ?", emails)
        # The first half of the codes is used.
        now = int(time.time() * 1000)
        db.execute("UPDATE code SET ending = 'used', ended_at = ? WHERE row_id < ?", (now, stores.row_id(ACCOUNTS // 2)))
        db.commit()
    return path


def known(n):
    return f"user{live(n * STRIDE)}@example.com"


def unknown(n):
    """An address of the same length that is a neighbour of the known one in every index."""
    return f"user{live(n * STRIDE)}@example.con"


def few(address):
    return lambda n: address(ACCOUNTS // 2 - 1 - n % WITH_PASSWORD)


def call(method, **body):
    return stores.call(method, body, HOST).encode()


def send(kind, address):
    return lambda n: call("sendOobCode", requestType=kind, email=address(n), continueUrl="https://example.com/")


def sign_in(address):
    return lambda n: call("signInWithPassword", email=address(n % WITH_PASSWORD), password="wrong, but long enough")


def sign_up(address):
    return lambda n: call("signUp", email=address(n), password="a quiet long phrase")


def redeem(code):
    return lambda n: call("resetPassword", oobCode=code(n), newPassword="a quiet long phrase")


def page(code):
    return lambda n: f"GET /__/auth/action?mode=verifyEmail&apiKey={API_KEY}&oobCode={code(n)} HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode()


def press(token):
    """A press with a wrong form token."""

    def request(n):
        text = stores.code(live(n))
        form = f"mode=verifyEmail&apiKey={API_KEY}&oobCode={text}&token={token(text)}"
        return (
            f"POST /__/auth/action HTTP/1.1\r\nHost: {HOST}\r\nSec-Fetch-Site: same-origin\r\n"
            f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(form)}\r\n\r\n{form}").encode()

    return request


def bearer(key):
    return lambda n: f"GET /metrics HTTP/1.1\r\nHost: {HOST}\r\nAuthorization: Bearer {key}\r\n\r\n".encode()


def refresh(token):
    def request(n):
        form = f"grant_type=refresh_token&refresh_token={token(n)}"
        return (
            f"POST /v1/token?key={API_KEY} HTTP/1.1\r\nHost: {HOST}\r\n"
            f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(form)}\r\n\r\n{form}").encode()

    return request


def live(n):
    return ACCOUNTS // 2 + n % (ACCOUNTS // 2)


def invented(n):
    return stores.base64url(os.urandom(32))


def moved(by):
    """A live code whose encrypted row id was changed: with 1 to the neighbour's row, with a high bit to none."""

    def code(n):
        own = stores.code_bytes(live(n))
        return stores.base64url(own[:24] + (int.from_bytes(own[24:], "big") ^ by).to_bytes(8, "big"))

    return code


def altered(text, byte):
    """Text in base64url with one bit of one byte changed."""
    value = bytearray(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))
    value[byte] ^= 1
    return stores.base64url(bytes(value))


def pairs(server):
    """The pairs, which need a server that runs."""
    key = subprocess.run(
        [server.binary, "admin-key", "create", "--config", server.configuration], env=server.environment, capture_output=True, text=True,
        check=True).stdout.strip()
    prefix, own = key[:7], key[7:]
    # A refresh token of no session.
    token = stores.base64url(os.urandom(32))
    # A form token is 16 bytes and a digest of 33, of which the first is the number of the secret.
    first, last = 17, 48
    return [
        Pair("B1", "reset, address known or not", (send("PASSWORD_RESET", known), send("PASSWORD_RESET", unknown)), reach=MAILS_A_DAY),
        Pair("B1", "sign-in link, address known or not", (send("EMAIL_SIGNIN", known), send("EMAIL_SIGNIN", unknown)), reach=MAILS_A_DAY),
        # The first requests, which are not measured, use up the limit.
        Pair("B1", "reset beyond the limit of its address", (send("PASSWORD_RESET", few(known)), send("PASSWORD_RESET", few(unknown)))),
        Pair("B1", "wrong password, address known or not", (sign_in(known), sign_in(unknown)), one_of=20),
        Pair("C13", "page: invented code, or one moved to another's row", (page(invented), page(moved(1)))),
        Pair("C13", "API: code moved to another's row, or to none", (redeem(moved(1)), redeem(moved(1 << 62)))),
        Pair("C13", "API: invented code, or a used one", (redeem(invented), redeem(lambda n: stores.code(n % (ACCOUNTS // 2)))), is_judged=False),
        Pair("C13", "API: invented code, or one for another action", (redeem(invented), redeem(lambda n: stores.code(live(n)))), is_judged=False),
        Pair("T6", "admin key wrong in its first or last byte", (bearer(prefix + altered(own, 0)), bearer(prefix + altered(own, 31)))),
        Pair(
            "T6", "form token wrong in its first or last byte",
            (press(lambda text: altered(stores.token(text), first)), press(lambda text: altered(stores.token(text), last)))),
        Pair("T6", "refresh token wrong in its first or last byte", (refresh(lambda n: altered(token, 0)), refresh(lambda n: altered(token, 31)))),
    ]


def closed_pairs(server):
    """The pairs of a project whose accounts are made by admins (V6)."""
    return [
        Pair("V6", "closed: sign-up, address known or not", (sign_up(known), sign_up(unknown))),
        Pair(
            "V6", "closed: sign-in link, address known or not", (send("EMAIL_SIGNIN", known), send("EMAIL_SIGNIN", unknown)),
            reach=MAILS_A_DAY),
    ]


def checks():
    """Two pairs that show that the test tells a difference, and does not invent one."""
    return [
        (Pair("-", "a page and itself", (page(invented), page(invented))), False),
        (Pair("-", "a page, and one with 400 bytes more to read", (page(invented), page(lambda n: invented(n) + "&x=" + "x" * 400)), is_judged=False), True),
        (Pair("-", "a page of a live code, or of none", (page(lambda n: stores.code(live(n))), page(invented)), is_judged=False), True),
    ]
