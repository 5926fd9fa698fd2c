"""Databases with accounts and live codes, put straight into SQLite: the schema is what the binaries themselves made, and the digests
and form tokens are what Onward would have made of the benchmarks' own secret (Sources/Accounts/Secrets.swift,
Sources/Web/Guards/FormTokens.swift). The loads find out at once if they no longer are: every answer counts."""
import base64
import contextlib
import functools
import hashlib
import hmac
import json
import os
import random
import sqlite3
import subprocess
import time

from .machine import CACHE, folder

SECRET = "benchmarks-only-0123456789abcdefghijkl"
API_KEY = "bench-key"
HOST = "localhost:9020"
LINK_DOMAIN = "links.example.com"
# The request headers that Chrome sends when a user follows a link in a mail.
BROWSER = """\
sec-ch-ua: "Chromium";v="142", "Google Chrome";v="142", "Not_A Brand";v="99"
sec-ch-ua-mobile: ?0
sec-ch-ua-platform: "Windows"
Upgrade-Insecure-Requests: 1
User-Agent: Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36
Accept: text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8
Sec-Fetch-Site: none
Sec-Fetch-Mode: navigate
Sec-Fetch-User: ?1
Sec-Fetch-Dest: document
Accept-Encoding: gzip, deflate, br, zstd
Accept-Language: en-GB,en-US;q=0.9,en;q=0.8
""".splitlines()


@functools.cache
def key(purpose):
    """HKDF-SHA256 (RFC 5869) without salt, one block."""
    extracted = hmac.digest(bytes(32), SECRET.encode(), "sha256")
    return hmac.digest(extracted, f"onward {purpose}".encode() + b"\1", "sha256")


def digest(purpose, message):
    """A keyed digest as it is stored: the number of the secret, then an HMAC-SHA256."""
    return b"\1" + hmac.digest(key(purpose), message, "sha256")


def base64url(value):
    return base64.urlsafe_b64encode(value).rstrip(b"=").decode()


def row_id(number):
    """The row id of a live code. Codes with higher numbers are newer."""
    return (1_700_000_000_000 << 21) + number


def code_bytes(number):
    """A live code; the same in every run."""
    random = hashlib.sha256(b"live code %d" % number).digest()[:24]
    veil = hmac.digest(key("place"), random, "sha256")[:8]
    return random + (row_id(number) ^ int.from_bytes(veil, "big")).to_bytes(8, "big")


def code(number):
    return base64url(code_bytes(number))


def token(text):
    """As a page that was shown just now has it: with its time, no traits, and the mark of an account that has no ways to sign in."""
    head = int(time.time() * 1000).to_bytes(8, "big") + b"\0" + digest("formToken", b"")[:4] + os.urandom(3)
    return base64url(head + digest("formToken", head + f"redeem verifyEmail {text}".encode()))


@functools.cache
def opened(count, among=None):
    """Codes in the order in which their links are opened: none; or the newest so many in no order, then those before them."""
    among = among or count
    starts = range(count - among, -1, -among)
    return [number for start in starts for number in random.Random(start).sample(range(start, start + among), among)]


def copy(source, target):
    subprocess.run(["cp", "--reflink=auto", source, target], check=True)
    return target


def cached(name, server, fill):
    """A database that `server` made and `fill` filled: one for each schema and way of making codes, for a month, as codes do not live for
    ever."""
    with folder() as work:
        fresh = f"{work}/fresh.sqlite"
        with server(fresh):
            pass
        with contextlib.closing(sqlite3.connect(fresh)) as db:
            schema = "".join(sql or "" for (sql,) in db.execute("SELECT sql FROM sqlite_schema ORDER BY name"))
            db.execute("PRAGMA journal_mode = DELETE")
        path = CACHE / f"{name}-{hashlib.sha256((schema + code(0)).encode()).hexdigest()[:8]}.sqlite"
        if not path.exists() or time.time() - path.stat().st_mtime > 30 * 86_400:
            with contextlib.closing(sqlite3.connect(fresh, isolation_level=None)) as db:
                for pragma in ("journal_mode = OFF", "synchronous = OFF", "cache_size = -3000000"):
                    db.execute(f"PRAGMA {pragma}")
                db.execute("BEGIN")
                with indices_last(db):
                    fill(db)
                db.execute("COMMIT")
            os.rename(copy(fresh, f"{path}.part"), path)
        return path


@contextlib.contextmanager
def indices_last(db):
    """An index that is built at the end is built faster."""
    indices = db.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL").fetchall()
    for name, _ in indices:
        db.execute(f'DROP INDEX "{name}"')
    yield
    for _, sql in indices:
        db.execute(sql)


DAY = 86_400_000
NUMBERS = "WITH RECURSIVE number (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM number WHERE n + 1 < ?)"


def onward(server, accounts, codes):
    """Each account has one live code, to verify its address, and these are the newest, in no order of accounts; what is left of `codes` were
    used in the 30 days before, and are over: a third each to verify, to sign in and to reset a password."""

    def fill(db):
        now = int(time.time() * 1000)
        numbers = {"accounts": accounts, "codes": codes, "used": codes - accounts, "now": now, "day": DAY,
            # Odd and no multiple of 3 or 5, so each account has its turn.
            "row_id": row_id(0), "stride": 618_031}
        db.create_function("digest", 1, lambda n: digest("code", code_bytes(n)), deterministic=True)
        db.execute(
            f"""
            {NUMBERS.replace("?", ":accounts")}
            INSERT INTO account (project, id, email, email_verified, valid_since, disabled, created_at, email_link_sign_in)
            SELECT 'bench', printf('benchmark-account-%010d', n), printf('user%d@example.com', n), 0, :now, 0, :now, 0 FROM number
            """, numbers)
        db.execute(
            f"""
            {NUMBERS.replace("?", ":codes")},
            made AS (
                SELECT n, n >= :used AS live, n - :used AS number, iif(n >= :used, (n - :used) * :stride, n) % :accounts AS account,
                    n / :accounts AS nth, :now - 30 * :day + n * 30 * :day / :codes AS at
                FROM number)
            INSERT INTO code (row_id, digest, project, action, account, email, settings, created_at, expires_at, ending, ended_at)
            SELECT iif(live, :row_id + number, n + 1), iif(live, digest(number), randomblob(33)), 'bench',
                CASE WHEN live OR nth % 3 = 0 THEN 'verifyEmail' WHEN nth % 3 = 1 THEN 'signIn' ELSE 'resetPassword' END,
                printf('benchmark-account-%010d', account), printf('user%d@example.com', account), printf(:settings, account),
                at, iif(live, :now + 60 * :day, at + :day / 24), iif(live, NULL, 'used'), iif(live, NULL, at + 60000)
            FROM made
            """, numbers | {
                "settings": '{"androidInstallIfNotAvailable":false,"handleCodeInApp":false,"url":"https://app.example.com/welcome?u=%d"}'})

    return cached(f"onward-{accounts}-{codes}", server, fill)


def add_mails(database, count):
    """Mails of the last day, one for each account in its turn: all but a few were taken by a relay, some wait, some were given up."""
    with contextlib.closing(sqlite3.connect(database)) as db:
        now = int(time.time() * 1000)
        accounts = db.execute("SELECT count(*) FROM account").fetchone()[0]
        db.execute(
            f"""
            {NUMBERS.replace("?", ":count")},
            made AS (
                SELECT n, :now - :day + n * :day / :count AS at,
                    CASE WHEN n % 100 = 1 THEN NULL WHEN n % 100 = 2 THEN 'parked' ELSE 'sent' END AS ending
                FROM number)
            INSERT INTO mail (
                id, project, account, recipient, recipient_digest, kind, language, source, sealed, created_at, priority, turn, attempts,
                ending, ended_at, relay, answer)
            SELECT :row_id + n, 'bench', printf('benchmark-account-%010d', n % :accounts),
                iif(ending IS 'sent', NULL, printf('user%d@example.com', n % :accounts)), randomblob(33),
                CASE n % 3 WHEN 0 THEN 'verifyEmail' WHEN 1 THEN 'signIn' ELSE 'resetPassword' END, 'en', n % 1000,
                iif(ending IS 'sent', NULL, randomblob(200)), at, 0, n, 1, ending, iif(ending IS NULL, NULL, at + 2000),
                'smtp.example.com:587', '250 2.0.0 queued'
            FROM made
            """, {"count": count, "now": now, "day": DAY, "accounts": accounts, "row_id": row_id(0)})
        db.commit()


def short_links(server, count):
    """Short links at /p0 and so on, as an import makes them of the rows of `write_takeout`."""

    def fill(db):
        db.execute(
            f"""
            {NUMBERS.replace("?", ":count")}
            INSERT INTO short_link (project, origin, path, link, created_at)
            SELECT 'bench', 'https://{LINK_DOMAIN}', printf('/p%d', n),
                'https://{LINK_DOMAIN}/__/auth/links?link=https%3A%2F%2Fexample.com%2Fp%2F' || n
                    || '&apn=com.example.app&ibi=com.example.app&utm_source=mail', :now
            FROM number
            """, {"count": count, "now": int(time.time() * 1000)})

    return cached(f"links-{count}", server, fill)


def write_takeout(path, count):
    """A file as Google Takeout exported it for a domain of Firebase Dynamic Links, of 29 columns."""
    with open(path, "w") as file:
        file.write(
            "Short link,Deep link (link),Android package name (apn),Android fallback link (afl),Android minimum package version code (amv),"
            "iOS bundle ID (ibi),iOS fallback link (ifl),iOS custom scheme (ius),iOS iPad fallback link (ipfl),iOS iPad bundle ID (ipbi),"
            "iOS app store ID (isi),iOS minimum version (imv),Enable forced redirect? (efr),Desktop fallback link (ofl),Social title (st),"
            "Social description (sd),Social image link (si),UTM source (utm_source),UTM medium (utm_medium),UTM campaign (utm_campaign),"
            "UTM term (utm_term),UTM content (utm_content),iTunes Connect at,iTunes Connect ct,iTunes Connect mt,iTunes Connect pt,Archived?,"
            "Link name,Creation timestamp\n")
        for n in range(count):
            file.write(
                f"https://{LINK_DOMAIN}/p{n},https://example.com/p/{n},com.example.app,,7,com.example.app,,,,,123,,true,,"
                f"\"Offer {n}, today\",Only today,https://example.com/{n}.png,mail,,spring,,,,,,,FALSE,Offer {n},2021-02-03 04:05:06 UTC\n")
    return path


def count_short_links(database):
    with contextlib.closing(sqlite3.connect(database)) as db:
        return db.execute("SELECT count(*) FROM short_link").fetchone()[0]


def peer(server, accounts):
    def fill(db):
        numbers = range(accounts)
        db.executemany("INSERT INTO account (id, email) VALUES (?, ?)", ((n, f"user{n}@example.com") for n in numbers))
        db.executemany(
            "INSERT INTO code (hash, account, url) VALUES (?, ?, ?)",
            sorted((hashlib.sha256(code(n).encode()).digest(), n, f"https://app.example.com/welcome?u={n}") for n in numbers))

    return cached(f"peer-{accounts}", server, fill)


def spent(database, since):
    """How many codes of an Onward database were used since a moment, in milliseconds."""
    with contextlib.closing(sqlite3.connect(database)) as db:
        return db.execute("SELECT count(*) FROM code WHERE ending = 'used' AND ended_at >= ?", (since,)).fetchone()[0]


def spent_by_peer(database):
    with contextlib.closing(sqlite3.connect(database)) as db:
        return db.execute("SELECT count(*) FROM code WHERE spent_at IS NOT NULL").fetchone()[0]


def commits(database):
    """Counts the transactions of a WAL database that somebody has open. Source: sqlite.org/walformat.html, iChange."""
    with open(f"{database}-shm", "rb") as index:
        return int.from_bytes(index.read(12)[8:], "little")


def write_codes(path, numbers):
    path.write_text("".join(code(n) + "\n" for n in numbers))
    return path


def write_requests(path, numbers, method, with_token=True):
    """The requests that steady.c sends, as a browser does: the page of each code, or the press of its button."""
    fields = "".join(f"{field}\r\n" for field in BROWSER)
    if method == "POST":
        fields = fields.replace("Site: none", "Site: same-origin")
    with open(path, "w") as file:
        for n in numbers:
            text = code(n)
            link = f"mode=verifyEmail&apiKey={API_KEY}&oobCode={text}"
            if method == "GET":
                request = f"GET /__/auth/action?{link} HTTP/1.1\r\nHost: {HOST}\r\n{fields}\r\n"
            else:
                form = f"{link}&token={token(text)}" if with_token else link
                request = (
                    f"POST /__/auth/action HTTP/1.1\r\nHost: {HOST}\r\n{fields}"
                    f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(form)}\r\n\r\n{form}")
            file.write(f"{len(request)}\n{request}")
    return path


def write_calls(path, numbers, method, host):
    """The same of the API: what an SDK, or an Onward in front of it, asks about each code."""
    with open(path, "w") as file:
        for n in numbers:
            request = call(method, {"oobCode": code(n)}, host)
            file.write(f"{len(request)}\n{request}")
    return path


def write_sends(path, accounts, host):
    """Requests for the mail of a password reset, to the accounts of these numbers in turn."""
    with open(path, "w") as file:
        for n in accounts:
            request = call("sendOobCode", {"requestType": "PASSWORD_RESET", "email": f"user{n}@example.com"}, host)
            file.write(f"{len(request)}\n{request}")
    return path


def call(method, body, host):
    text = json.dumps(body)
    return (
        f"POST /v1/accounts:{method}?key={API_KEY} HTTP/1.1\r\nHost: {host}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(text)}\r\n\r\n{text}")
