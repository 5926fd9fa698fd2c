"""Many clients, slow clients, clients that go away (X2-X4, X8, X10, X11, Z1, Z4)."""

import contextlib
import re
import resource
import select
import socket
import struct
import subprocess
import tempfile
import time

from onward import PATIENCE, Onward, Others, eventually, expect, free_ports, needs, run


def idle():
    """10,000 idle connections cost at most 8 KB of resident memory each, and others are served."""
    return held("plain", 10_000, lambda onward: onward.connect(), tls=False, limit=8192)


def idle_tls():
    """The same over TLS, where OpenSSL keeps twice that (decision 12)."""
    return held("TLS", 10_000, lambda onward: onward.connect_tls(), tls=True, limit=16_384)


def held(kind, count, connect, tls, limit):
    with Onward(tls=tls) as onward, contextlib.ExitStack() as stack:
        def one():
            connection = stack.enter_context(connect(onward))
            connection.sendall(onward.request("/healthz"))
            expect(b" 200 " in connection.recv(4096), "an answer")

        for _ in range(500):
            one()
        before = onward.resident
        for _ in range(count):
            one()
        each = (onward.resident - before) / count
        expect(onward.get("/readyz").status == 200, "one more is served")
        expect(each <= limit, f"{each:.0f} bytes for each {kind} connection")
        return f"{each:.0f} bytes for each, {onward.resident / 1e6:.0f} MB in all"


def slow():
    """1,000 slow clients (heads, bodies, reads) delay no other client; those that do not finish a request are cut."""
    needs("slowhttptest")
    kinds = {"heads": ("-H -i 5", "/healthz", 45), "bodies": ("-B -i 5 -s 8192", "/healthz", 100),
             "reads": ("-X -k 3 -w 512 -y 1024 -n 5 -z 32", "/openapi.json", 30)}
    results = []
    for kind, (options, path, seconds) in kinds.items():
        with Onward() as onward:
            with Others(onward) as others:
                url = f"http://127.0.0.1:{onward.port}{path}"
                said = run("slowhttptest", *options.split(), "-c", "1000", "-r", "400", "-l", seconds, "-p", "20", "-u", url)
            expect(not others.failures and others.p99 < 0.2, f"{kind}: {others}")
            expect(kind == "reads" or "No open connections left" in said, f"{kind}: some are still connected after {seconds} s")
            results.append(f"{kind}: {others}")
    return "; ".join(results)


def descriptors():
    """Out of descriptors: connections that are there go on, the processor rests, and accepting resumes."""
    needs("prlimit")
    with Onward(wrap=["prlimit", "--nofile=96"]) as onward:
        old = [onward.connect() for _ in range(10)]
        for connection in old:
            connection.sendall(onward.request("/healthz"))
            expect(b" 200 " in connection.recv(4096), "an answer")
        new = [onward.connect() for _ in range(150)]
        for connection in new:
            connection.sendall(onward.request("/healthz"))
        served = answered(new, 2)
        expect(0 < len(served) < 150, f"{len(served)} of 150 were let in")
        start, used = time.monotonic(), onward.processor_seconds
        for connection in old:
            connection.sendall(onward.request("/healthz"))
            expect(b" 200 " in connection.recv(4096), "one that was there goes on")
        time.sleep(3)
        share = (onward.processor_seconds - used) / (time.monotonic() - start)
        expect(share < 0.2, f"{share:.0%} of a processor while it waits")
        rest = [connection for connection in new if connection not in served]
        for connection in served:
            connection.close()
        # Waiting clients are served in turn, as descriptors become free.
        while rest:
            served = answered(rest, 10)
            expect(served, f"{len(rest)} wait for ever")
            for connection in served:
                connection.close()
            rest = [connection for connection in rest if connection not in served]
        expect(onward.get("/readyz").status == 200, "it is ready again")
        return f"{share:.1%} of a processor meanwhile"


def answered(connections, seconds):
    """The connections that received something within that time."""
    found, deadline = [], time.monotonic() + seconds
    while len(found) < len(connections) and time.monotonic() < deadline:
        ready, _, _ = select.select([c for c in connections if c not in found], [], [], 0.2)
        found += [connection for connection in ready if connection.recv(65_536)]
    return found


def reader():
    """A client that never reads is read from no more, costs little, and is cut."""
    with Onward() as onward:
        before = onward.resident
        with Others(onward) as others:
            client = socket.socket()
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            client.connect(("127.0.0.1", onward.port))
            client.settimeout(2)
            sent = 0
            with contextlib.suppress(OSError):
                while True:
                    sent += client.send(onward.request("/openapi.json") * 100)
            start = time.monotonic()
            kept = onward.resident - before
            client.settimeout(0)

            def isCut():
                try:
                    client.send(b"G")
                except BlockingIOError:
                    return False
                except OSError:
                    return True
            eventually(isCut, "it is cut")
        expect(not others.failures and others.p99 < 0.2, str(others))
        expect(kept < 8e6, f"{kept / 1e6:.1f} MB are kept for it")
        return f"read {sent / 1e6:.1f} MB of requests, kept {kept / 1e6:.1f} MB, cut {time.monotonic() - start:.0f} s after the last; {others}"


def resets():
    """10,000 clients that reset in the middle of an answer leave nothing behind and disturb no other client."""
    with Onward() as onward, Others(onward) as others:
        onward.get("/openapi.json")
        before = onward.descriptors
        for number in range(10_000):
            connection = onward.connect()
            connection.sendall(onward.request("/openapi.json") * 3)
            if number % 2:
                connection.recv(100)
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            connection.close()
        others.__exit__()
        eventually(lambda: onward.descriptors <= before, "every descriptor is given back")
        expect(not others.failures and others.p99 < 0.2, str(others))
        return str(others)


def stop():
    """20 restarts under load, the new process beside the old one: no request is lost."""
    needs("wrk")
    ports = free_ports(3)
    results = []
    for fields in ([], ["-H", "Connection: close"]):
        with tempfile.TemporaryDirectory(prefix="onward-faults-") as folder, contextlib.ExitStack() as stack:
            old = stack.enter_context(Onward(folder, ports))
            # The admin's address is one process's at a time.
            load = subprocess.Popen(["wrk", "-t1", "-c16", "-d600s", *fields, f"http://127.0.0.1:{ports[0]}/healthz"], stdout=subprocess.PIPE, text=True)
            try:
                for _ in range(10):
                    new = stack.enter_context(Onward(folder, ports))
                    old.process.terminate()
                    expect(old.process.wait(60) == 0, "it ends well")
                    old = new
            finally:
                load.send_signal(2)
                text = load.communicate(timeout=PATIENCE)[0]
            errors = re.search(r"Socket errors: (.*)", text)
            wrong = re.search(r"Non-2xx.*: (\d+)", text)
            expect(not errors and not wrong, f"{errors and errors[1]} {wrong and wrong[0]}")
            results.append(re.search(r"(\d+) requests in", text)[1])
    return f"{results[0]} requests on connections that stay, {results[1]} on new ones, none lost"


def overload():
    """A request of one of 1,000 clients at once costs about what it does among 32, and the next request is answered at once when they are gone."""
    needs("wrk")
    with Onward() as onward:
        def cost(clients):
            used = onward.processor_seconds
            text = run("wrk", "-t1", f"-c{clients}", "-d8s", f"http://127.0.0.1:{onward.port}/healthz")
            return (onward.processor_seconds - used) / int(re.search(r"(\d+) requests in", text)[1])
        cost(32)
        few, many = cost(32), cost(1000)
        start = time.monotonic()
        expect(onward.get("/readyz").status == 200, "it is ready")
        waited = time.monotonic() - start
        expect(many <= 1.25 * few, f"{many / few:.2f} times the processor for each")
        expect(waited < 5, f"{waited:.1f} s until the next answer")
        return f"{many / few:.2f} times the processor for each, next answer after {waited * 1000:.0f} ms"


def handshakes():
    """A flood of TLS handshakes slows down handshakes, not requests."""
    needs("openssl")
    with Onward(tls=True) as onward, Others(onward) as others:
        flood = [subprocess.Popen(["openssl", "s_time", "-connect", f"127.0.0.1:{onward.tls_port}", "-new", "-time", "10"], stdout=subprocess.PIPE, text=True)
                 for _ in range(4)]
        count = sum(int(re.search(r"(\d+) connections in", each.communicate()[0])[1]) for each in flood)
        others.__exit__()
        expect(not others.failures and others.p99 < 0.2, str(others))
        return f"{count / 10:.0f} handshakes a second; {others}"


def linear():
    """Four times as much of anything hostile costs no more than about four times as much."""
    json, form = "application/json", "application/x-www-form-urlencoded"
    api = "/identitytoolkit.googleapis.com/v1/accounts:signUp?key=shop-key-1"
    shapes = {
        "names": (api, json, lambda n: "{" + ",".join(f'"k{i:07}":1' for i in range(n // 13)) + "}"),
        "items": (api, json, lambda n: '{"email":[' + ",".join("1" * (n // 2)) + "]}"),
        "escapes": (api, json, lambda n: '{"email":"' + "\\u0041" * (n // 6) + '"}'),
        "brackets": (api, json, lambda n: "[" * n),
        "password": (api, json, lambda n: '{"email":"a@example.com","password":"' + "a" * n + '"}'),
        "fields": ("/__/auth/action", form, lambda n: "a&" * (n // 2)),
        "percents": ("/__/auth/action", form, lambda n: "a=" + "%41" * (n // 3)),
    }
    dearest = (0, "")
    with Onward() as onward:
        for name, (path, kind, shape) in shapes.items():
            def cost(size):
                body, used = shape(size), onward.processor_seconds
                for _ in range(50):
                    onward.ask("POST", path, body, {"Content-Type": kind})
                return (onward.processor_seconds - used) / 50
            # Longer ones are not read.
            little, much = cost(16_000), cost(64_000)
            expect(much <= 8 * max(little, 0.001), f"{name}: {little * 1000:.1f} ms for a quarter of what costs {much * 1000:.1f} ms")
            dearest = max(dearest, (much, name))
    return f"64 KB cost at most {dearest[0] * 1000:.1f} ms ({dearest[1]})"


CHECKS = [linear, idle, idle_tls, slow, descriptors, reader, resets, stop, overload, handshakes]
_, most = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
