"""The rows of the table. Each row has sides. A side is one measurement in one round and returns figures by name:

rate           responses per second, as the load sees them
per_cpu        responses per second of the server's CPU time
p99, ms        milliseconds
s              seconds
idle, mb       megabytes
"""
import collections
import contextlib
import dataclasses
import functools
import re
import statistics
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from . import mails, postgresql, stores
from .machine import fail, free_port, load, on_core, wake_memory, wrk
from .servers import MAIL_LIMITS, Nginx, Onward, Peer, identity

ACCOUNTS, MILLION, TEN_MILLION, TEN_THOUSAND = 150_000, 1_000_000, 10_000_000, 10_000
LINKS, POPULAR = 100_000, 100
PAGE, WARM, WARM_OF_MANY = "/__/auth/action", 200, 2_000


@dataclasses.dataclass(frozen=True)
class Target:
    """A target of the first side: at least `limit` times the figure of the side `beside`, or at most `limit`."""

    limit: float
    beside: str | None = None
    metric: str = "rate"


@dataclasses.dataclass(frozen=True)
class Row:
    title: str
    sides: dict[str, Callable]
    targets: list[Target]
    is_large: bool = False


class Bench:
    """What the rows of one run share: duration, folder, database copies, request files. Each is created at its first use."""

    def __init__(self, folder, seconds):
        self.folder, self.seconds = Path(folder), seconds
        self.group = 32
        self.half = 10_000
        self.copies = 0
        self.used_of_large = collections.Counter()

    def new_database(self):
        """Returns the path for a database in a folder of its own."""
        self.copies += 1
        folder = self.folder / f"store-{self.copies}"
        folder.mkdir()
        return folder / "store.sqlite"

    def copy(self, store):
        return stores.copy(store, self.new_database())

    @functools.cached_property
    def identity(self):
        return identity(self.folder)

    @functools.cached_property
    def stylesheet(self):
        """Returns the path that Onward's page refers to, and the bytes."""
        with Onward(self.copy(self.store)) as server:
            _, page = server.get(f"{PAGE}?mode=verifyEmail&apiKey={stores.API_KEY}&oobCode={stores.code(0)}")
            path = re.search(r'href="([^"]+\.css[^"]*)"', page.decode())[1]
            return path, server.get(path)[1]

    @functools.cached_property
    def store(self):
        return stores.onward(Onward, ACCOUNTS, ACCOUNTS)

    @functools.cached_property
    def links(self):
        return stores.short_links(Onward, LINKS)

    @functools.cache
    def link_paths(self, count):
        path = self.folder / f"link-paths-{count}"
        path.write_text("".join(f"/p{n * 618_031 % LINKS}\n" for n in range(count)))
        return path

    @functools.cached_property
    def million(self):
        return stores.onward(Onward, MILLION, MILLION)

    @functools.cached_property
    def small(self):
        return stores.onward(Onward, TEN_THOUSAND, TEN_THOUSAND)

    @functools.cache
    def large(self, among=None):
        """Returns a copy for the whole run. Each round applies other codes; each order of codes has a copy of its own."""
        return self.copy(stores.onward(Onward, MILLION, TEN_MILLION))

    def in_memory(self, store):
        """Reads the file once, because the system may evict pages that were not used for a while."""
        with open(store, "rb", buffering=0) as file:
            while file.read(1 << 20):
                pass
        return store

    @functools.cached_property
    def peer_store(self):
        return stores.peer(Peer, ACCOUNTS)

    @functools.cache
    def codes(self, accounts, count=100_000):
        """Writes the codes that are opened last; `posts` uses the first."""
        return stores.write_codes(self.folder / f"codes-{accounts}", stores.opened(accounts)[-count:])

    @functools.cache
    def gets(self):
        return stores.write_requests(self.folder / "gets", stores.opened(ACCOUNTS), "GET")

    @functools.cache
    def posts(self, accounts, first, end, with_token=True, among=None):
        """Writes the form posts of the codes from `first` to `end`, in the order in which they are opened."""
        path = self.folder / f"posts-{accounts}-{first}-{end}-{with_token}-{among}"
        return stores.write_requests(path, stores.opened(accounts, among)[first:end], "POST", with_token)


def measured(bench, server, run):
    """Runs a short load to warm the server, then the measured one."""
    run(0.5)
    return costed([server], lambda: run(bench.seconds))


def costed(servers, run):
    wake_memory()
    before = sum(server.cpu() for server in servers)
    figures = run()
    spent = sum(server.cpu() for server in servers) - before
    return {**figures, "per_cpu": figures["count"] / spent if spent else 0}


def get(bench, server, path, **options):
    with server:
        return measured(bench, server, lambda seconds: wrk(server.port, path, seconds, **options))


def static_of_nginx(bench):
    (bench.folder / "style.css").write_bytes(bench.stylesheet[1])
    return get(bench, Nginx(bench.folder, files=bench.folder), "/style.css")


# The page of a live code, requested as a browser does.


def get_pages(bench, server, seconds, accounts=ACCOUNTS):
    return wrk(server.port, PAGE, seconds, script="page.lua", codes=bench.codes(accounts), fields=stores.BROWSER)


def page(bench, server, accounts=ACCOUNTS):
    with server:
        return measured(bench, server, lambda seconds: get_pages(bench, server, seconds, accounts))


def page_at_half(bench):
    """Sends half of the highest rate, evenly, and counts each latency from the time the request was due."""
    with Onward(bench.copy(bench.store)) as server:
        highest = get_pages(bench, server, bench.seconds / 2)["rate"]
        bench.half = highest / 2
        wake_memory()
        return load("steady", server.port, 32, bench.half, bench.seconds, bench.gets())


def constant_at_half(bench):
    """Measures the machine's share of the latency: a constant response of nginx under the same load."""
    with Nginx(bench.folder) as server:
        requests = bench.folder / "constant"
        request = f"GET /healthz HTTP/1.1\r\nHost: {stores.HOST}\r\n\r\n"
        requests.write_text(f"{len(request)}\n{request}")
        wake_memory()
        return load("steady", server.port, 32, bench.half, bench.seconds, requests)


# Applying each code once, from 64 connections.


def apply(bench, server, accounts=ACCOUNTS, first=0, count=ACCOUNTS, with_token=True, among=None, warm=WARM):
    """Applies codes; the first ones warm the server."""
    parts = [(first, first + warm), (first + warm, first + count)]
    warm, codes = (bench.posts(accounts, *part, with_token, among) for part in parts)
    load("steady", server.port, 64, 0, 10, warm)
    return costed([server], lambda: load("steady", server.port, 64, 0, bench.seconds, codes))


def agreed(figures, used):
    """Fails unless the database holds as many used codes as there were successful responses."""
    if used != figures["count"] + WARM:
        fail(f"{used} codes were used, {figures['count'] + WARM:.0f} responses were successful")
    return used


def apply_in_onward(bench, sync_delay=0):
    database = bench.copy(bench.store)
    with Onward(database, sync_delay=sync_delay) as server:
        since, before = int(time.time() * 1000), stores.commits(database)
        figures = apply(bench, server)
        done = agreed(figures, stores.spent(database, since))
        figures["group"] = done / (stores.commits(database) - before)
    if not sync_delay:
        bench.group = max(1, round(figures["group"]))
    return figures


def apply_in_peer(bench, sync_delay=0):
    database = bench.copy(bench.peer_store)
    with Peer(database, sync_delay) as server:
        figures = apply(bench, server, with_token=False)
        agreed(figures, stores.spent_by_peer(database))
    return figures


def apply_in_a_loop(bench):
    """Applies codes in groups of the size that Onward's last measurement had."""
    database = bench.copy(bench.store)
    wake_memory()
    return {**load("raw", database, bench.group, bench.seconds), "group": bench.group}


def apply_in_large(bench, among=None):
    first = bench.used_of_large[among]
    bench.used_of_large[among] += TEN_THOUSAND
    with Onward(bench.in_memory(bench.large(among))) as server:
        return apply(bench, server, MILLION, first, TEN_THOUSAND, among=among, warm=WARM_OF_MANY)


def apply_in_small(bench):
    with Onward(bench.in_memory(bench.copy(bench.small))) as server:
        return apply(bench, server, TEN_THOUSAND, 0, TEN_THOUSAND, warm=WARM_OF_MANY)


# Requests for the mail of a password reset, from 64 connections, durably queued.


def send(bench, same_address=False, relay=None):
    """Requests go to 100,000 accounts in turn, or all to one. `relay` is the port of a relay to which the mails go meanwhile."""
    server = Onward(bench.copy(bench.store), without=MAIL_LIMITS, relay=relay)
    accounts = (0 if same_address else n % 100_000 for n in range(ACCOUNTS))
    with server:
        requests = stores.write_sends(bench.folder / f"sends-{same_address}", accounts, server.host)
        load("steady", server.port, 64, 0, 0.5, requests)
        return costed([server], lambda: load("steady", server.port, 64, 0, bench.seconds, requests))


def send_with_dead_relay(bench):
    """Nothing listens at the port of the relay."""
    return send(bench, relay=free_port())


# In front of an upstream, which is another Onward: through the pages, or by the same API calls directly.


@contextlib.contextmanager
def upstream(bench, through_pages, apart=False):
    """Yields the servers; the first receives the requests, the last has the codes. `apart`: the first has a core of its own, which
    it shares neither with the other nor with the load that is started inside of `with`."""
    first, others = (0, 1) if apart else (None, None)
    with contextlib.ExitStack() as servers:
        with on_core(others if through_pages else first):
            back = servers.enter_context(Onward(bench.copy(bench.store), is_upstream=True))
        if through_pages:
            with on_core(first):
                front = servers.enter_context(Onward(bench.new_database(), authority=f"http://{back.host}"))
        with on_core(others):
            yield [front, back] if through_pages else [back]


def calls(bench, method, servers, first=0, end=ACCOUNTS):
    return stores.write_calls(bench.folder / f"calls-{first}", stores.opened(ACCOUNTS)[first:end], method, servers[-1].host)


def look_at_upstream(bench, through_pages, apart=False):
    with upstream(bench, through_pages, apart) as servers:
        requests = bench.gets() if through_pages else calls(bench, "resetPassword", servers)

        def run(seconds):
            return load("steady", servers[0].port, 32, 0, seconds, requests)

        run(0.5)
        return costed(servers[:1] if apart else servers, lambda: run(bench.seconds))


def apply_at_upstream(bench, through_pages):
    with upstream(bench, through_pages) as servers:
        since, parts = int(time.time() * 1000), [(0, WARM), (WARM, ACCOUNTS)]
        warm, codes = (bench.posts(ACCOUNTS, *part) if through_pages else calls(bench, "update", servers, *part) for part in parts)
        load("steady", servers[0].port, 64, 0, 10, warm)
        figures = costed(servers, lambda: load("steady", servers[0].port, 64, 0, bench.seconds, codes))
        agreed(figures, stores.spent(servers[-1].database, since))
        return figures


# Links on link domains.


def redirect(bench, server, count):
    """A desktop browser opens short links, each in its turn."""
    with server:
        return measured(
            bench, server, lambda seconds: wrk(
                server.port, "/p1", seconds, script="paths.lua", codes=bench.link_paths(count), fields=stores.BROWSER, host=stores.LINK_DOMAIN))


def import_links(bench):
    """Imports a million short links into an empty database."""
    file = stores.write_takeout(bench.folder / "takeout.csv", MILLION)
    database = bench.new_database()
    server = Onward(database, has_links=True)
    started = time.perf_counter()
    command = [server.binary, "links", "import", file, "--config", server.configuration]
    done = subprocess.run([str(word) for word in command], env=server.environment, capture_output=True, text=True)
    seconds = time.perf_counter() - started
    if done.returncode or stores.count_short_links(database) != MILLION:
        fail(f"the import ended with {done.returncode}: {done.stdout}{done.stderr[-500:]}")
    return {"s": seconds, "count": MILLION}


# The rest.


def handshakes(bench, server):
    with server:
        return measured(bench, server, lambda seconds: load("handshakes", server.port, 16, seconds))


def ready(bench):
    with Onward(bench.million, folder=bench.folder) as server:
        return {"ms": server.ready_ms}


def console(bench):
    """Asks what each view of the console asks, with a million accounts and a million mails, one question after the other. The figure is
    that of the slowest view."""
    database = bench.copy(bench.million)
    stores.add_mails(database, MILLION)
    with Onward(database, folder=bench.folder) as server:
        key = subprocess.run(
            [server.binary, "admin-key", "create", "--config", server.configuration], env=server.environment, capture_output=True, text=True,
            check=True).stdout.strip()
        account = "localId=benchmark-account-0000777777"
        find = lambda text: ("accounts:find", f'{{"text": "{text}"}}')
        views = {
            "newest": [find("")], "address": [find("user777777@example.com"), "mails?to=user777777@example.com"], "beginning": [find("user7")],
            "mistyped": [find("usre777777@example.com"), "mails?to=usre777777@example.com"], "nobody": [find("zzz")],
            "account": [
                f"accounts:inspect?{account}", f"mails?{account}", "mails?to=user777777@example.com", f"events?{account}",
                f"audit?{account}&changes=true&pageSize=200"],
            "mails": ["mails?state=waiting", "mails?state=parked"], "overview": ["overview"], "audit": ["audit"],
            "events": ["events?state=parked", "events?state=waiting"],
        }
        spans = {}
        for name, questions in views.items():
            rounds = []
            for _ in range(10):
                started = time.perf_counter()
                for question in questions:
                    path, body = question if isinstance(question, tuple) else (question, None)
                    status, answer = server.ask(f"/v1/projects/bench/{path}", key, body)
                    if status != 200:
                        fail(f"{question} was answered {status}: {answer[:200]}")
                rounds.append((time.perf_counter() - started) * 1000)
            spans[name] = statistics.median(rounds)
    print("  views of the console:", ", ".join(f"{name} {span:.1f} ms" for name, span in spans.items()), flush=True)
    return {"ms": max(spans.values())}


def memory(bench):
    """Measures private memory one second after the start, without the pages of the program's file, which the system can drop and
    share; and the peak of all resident memory under pages and applies at full speed."""
    with Onward(bench.copy(bench.store)) as server:
        time.sleep(1)
        idle = server.resident("RssAnon")
        get_pages(bench, server, bench.seconds)
        load("steady", server.port, 64, 0, bench.seconds, bench.posts(ACCOUNTS, 0, ACCOUNTS))
        return {"idle": idle, "mb": server.resident("VmHWM")}


HUMMINGBIRD, NGINX, LOOP, DIRECT = "Hummingbird", "nginx", "raw SQLite", "its upstream directly"
PAGE_ROW, APPLY_ROW, ONE_ADDRESS = "its page", "its applying", "one address"
NO_RELAY, SMTP_SOURCE, SMTPLIB = "no relay", "smtp-source", "smtplib"
PGBENCH, PGBENCH_READS, THREE_NODES = "pgbench, the same transaction", "pgbench -S -M prepared", "three nodes"
AS_OFTEN = "a constant of nginx, as often"
ROWS = {
    "page": Row(
        "page of a live code",
        {"Onward": lambda b: page(b, Onward(b.copy(b.store))), HUMMINGBIRD: lambda b: page(b, Peer(b.copy(b.peer_store)))},
        [Target(1.75, HUMMINGBIRD), Target(2, HUMMINGBIRD, "per_cpu")]),
    "apply": Row(
        "applying a code, durable, 64 connections",
        {"Onward": apply_in_onward, HUMMINGBIRD: apply_in_peer, LOOP: apply_in_a_loop},
        [Target(3.0, HUMMINGBIRD), Target(0.5, LOOP)]),
    "send": Row(
        "asking for a password reset, mail queued, durable, 64 connections",
        {
            "Onward": send, PAGE_ROW: lambda b: page(b, Onward(b.copy(b.store))), APPLY_ROW: apply_in_onward,
            ONE_ADDRESS: lambda b: send(b, same_address=True),
        },
        [Target(0.25, PAGE_ROW), Target(0.55, APPLY_ROW)]),
    "dead-relay": Row(
        "asking for a password reset while the relay is down",
        {"Onward": send_with_dead_relay, NO_RELAY: send}, [Target(0.95, NO_RELAY)]),
    "mails": Row(
        "handing mails to one relay",
        {"Onward": mails.deliver, SMTP_SOURCE: mails.smtp_source, SMTPLIB: mails.smtplib_client},
        [Target(0.2, SMTP_SOURCE), Target(1, SMTPLIB)]),
    "mail-time": Row(
        "from the request to the relay's acceptance of the mail", {"Onward": mails.first_acceptance}, [Target(50, metric="p99")]),
    "slow-sync": Row(
        "applying a code where a sync takes 2 ms more",
        {"Onward": lambda b: apply_in_onward(b, 2000), HUMMINGBIRD: lambda b: apply_in_peer(b, 2000)},
        [Target(10, HUMMINGBIRD), Target(30, metric="p99")]),
    "front-page": Row(
        "page of a live code that an upstream has",
        {"Onward": lambda b: look_at_upstream(b, True), DIRECT: lambda b: look_at_upstream(b, False)}, [Target(0.3, DIRECT)]),
    "front-page-apart": Row(
        "page of a live code that an upstream has, with a core for the server that is asked",
        {"Onward": lambda b: look_at_upstream(b, True, apart=True), DIRECT: lambda b: look_at_upstream(b, False, apart=True)},
        [Target(0.4, DIRECT)]),
    "front-apply": Row(
        "applying a code that an upstream has",
        {"Onward": lambda b: apply_at_upstream(b, True), DIRECT: lambda b: apply_at_upstream(b, False)}, [Target(0.25, DIRECT)]),
    "pg-page": Row(
        "page of a live code in PostgreSQL",
        {"Onward": lambda b: postgresql.page(b, get_pages), PGBENCH_READS: postgresql.pgbench_reads}, [Target(0.35, PGBENCH_READS)]),
    "pg-apply": Row(
        "applying a code in PostgreSQL, 64 connections",
        {
            "Onward": lambda b: postgresql.applies(b, 1, ACCOUNTS, WARM), PGBENCH: lambda b: postgresql.pgbench_applies(b, ACCOUNTS),
            THREE_NODES: lambda b: postgresql.applies(b, 3, ACCOUNTS, WARM),
        },
        [Target(0.5, PGBENCH)]),
    "pg-p99": Row(
        "p99 of applying in PostgreSQL at half of its highest rate", {"Onward": lambda b: postgresql.applies_at_half(b, ACCOUNTS, WARM)},
        [Target(20, metric="p99")]),
    "healthz": Row(
        "`/healthz`",
        {
            "Onward": lambda b: get(b, Onward(b.copy(b.store)), "/healthz"),
            HUMMINGBIRD: lambda b: get(b, Peer(b.copy(b.peer_store)), "/healthz"),
            NGINX: lambda b: get(b, Nginx(b.folder), "/healthz"),
        },
        [Target(1.3, HUMMINGBIRD), Target(2, HUMMINGBIRD, "per_cpu"), Target(0.7, NGINX)]),
    "static": Row(
        "static asset, the style sheet",
        {"Onward": lambda b: get(b, Onward(b.copy(b.store)), b.stylesheet[0]), NGINX: static_of_nginx}, [Target(0.6, NGINX)]),
    "short-link": Row(
        "redirect of a hundred short links",
        {
            "Onward": lambda b: redirect(b, Onward(b.copy(b.links), has_links=True), POPULAR),
            NGINX: lambda b: redirect(b, Nginx(b.folder), POPULAR),
        },
        [Target(0.6, NGINX)]),
    "short-link-any": Row(
        "redirect of any of 100,000 short links",
        {
            "Onward": lambda b: redirect(b, Onward(b.copy(b.links), has_links=True), LINKS),
            NGINX: lambda b: redirect(b, Nginx(b.folder), LINKS),
        },
        [Target(0.2, NGINX)]),
    "tls": Row(
        "full TLS 1.3 handshakes, ECDSA P-256",
        {
            "Onward": lambda b: handshakes(b, Onward(b.copy(b.store), identity=b.identity)),
            NGINX: lambda b: handshakes(b, Nginx(b.folder, identity=b.identity)),
        },
        [Target(0.8, NGINX), Target(0.8, NGINX, "per_cpu")]),
    "p99": Row("p99 of the page at half of its highest rate", {"Onward": page_at_half, AS_OFTEN: constant_at_half},
        [Target(5, metric="p99")]),
    "ready": Row("ready after start, a million accounts", {"Onward": ready}, [Target(100, metric="ms")]),
    "console": Row(
        "slowest view of the console, a million accounts and mails", {"Onward": console}, [Target(200, metric="ms")], is_large=True),
    "memory": Row("memory", {"Onward": memory}, [Target(12, metric="idle"), Target(120, metric="mb")]),
    "import-links": Row(
        "importing a million short links", {"Onward": import_links}, [Target(300, metric="s")], is_large=True),
    "growth-page": Row(
        "page with ten million codes in the store",
        {
            "Onward": lambda b: page(b, Onward(b.in_memory(b.large())), MILLION),
            "ten thousand": lambda b: page(b, Onward(b.in_memory(b.copy(b.small))), TEN_THOUSAND),
        },
        [Target(0.9, "ten thousand")], is_large=True),
    "growth-apply": Row(
        "applying the newest of ten million codes",
        {"Onward": lambda b: apply_in_large(b, TEN_THOUSAND), "ten thousand": apply_in_small},
        [Target(0.65, "ten thousand")], is_large=True),
    "growth-any": Row(
        "applying any live one of ten million codes", {"Onward": apply_in_large, "ten thousand": apply_in_small},
        [Target(0.5, "ten thousand")], is_large=True),
}
