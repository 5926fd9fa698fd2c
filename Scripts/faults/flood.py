"""Strangers that try to take the memory and the processor with bodies (V3, V4)."""

import contextlib
import multiprocessing
import os
import resource
import selectors
import socket
import time

from onward import Failed, Onward, Others, eventually, expect

API = "/identitytoolkit.googleapis.com/v1/accounts:lookup?key="
BODY = 65_536
# 512 MB less the system: what Docs/Tuning.md allows a machine of that size.
MOST = 400e6
IP_BIND_ADDRESS_NO_PORT = 24

# The costliest bodies of 64 KB, each kind for another part of the reader.
SHAPES = {
    "names": "{" + ",".join(f'"{number:05x}":1' for number in range(BODY // 11)) + "}",
    "long names": "{" + ",".join(f'"{"k" * 1000}{number:02}":1' for number in range(64)) + "}",
    "marks": "{" + ",".join(f'"{chr(0x301) * 500}{number:02}":1' for number in range(64)) + "}",
    "escapes": '{"email":"' + "\\u0041" * 10_900 + '"}',
    "pairs": '{"email":"' + "\\ud83d\\ude00" * 5_400 + '"}',
    "digits": '{"email":' + "1" * 65_000 + "}",
    "items": '{"email":[' + ",".join("1" * 32_000) + "]}",
    "brackets": "[" * 65_000,
    "token": '{"idToken":"' + "a." * 32_000 + '"}',
}


@contextlib.contextmanager
def beside(work, *values):
    """Runs `work` in a process of its own, after the others, because strangers have machines of their own."""
    ready = multiprocessing.Event()

    def go():
        os.nice(10)
        work(ready, *values)

    process = multiprocessing.Process(target=go, daemon=True)
    process.start()
    try:
        expect(ready.wait(120), f"{work.__name__} has begun")
        yield process
    finally:
        process.kill()
        process.join()


def connected(port, source):
    client = socket.socket()
    # The port is chosen by connect, or they would run out.
    client.setsockopt(socket.IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, 1)
    client.bind((source, 0))
    client.connect(("127.0.0.1", port))
    client.setblocking(False)
    return client


def rest(ready, port, request, count):
    """Holds connections that sent a request once."""
    clients = []
    for _ in range(count):
        clients.append(connected(port, "127.0.0.2"))
        clients[-1].send(request)
    ready.set()
    time.sleep(600)


def withhold(ready, port, requests, count):
    """Keeps up as many requests without their last byte; one that is answered is begun again."""
    selector, begun = selectors.DefaultSelector(), 0

    def begin():
        nonlocal begun
        request = requests[begun % len(requests)]
        begun += 1
        with contextlib.suppress(OSError):
            client = connected(port, "127.0.0.3")
            selector.register(client, selectors.EVENT_READ | selectors.EVENT_WRITE, [memoryview(request)[:-1]])

    for _ in range(count):
        begin()
    while True:
        for key, events in selector.select(0.1):
            client, left = key.fileobj, key.data
            try:
                if events & selectors.EVENT_WRITE:
                    left[0] = left[0][client.send(left[0]):]
                    if not left[0]:
                        selector.modify(client, selectors.EVENT_READ, left)
                if events & selectors.EVENT_READ:
                    client.recv(65_536)
                    raise OSError("answered")
            except BlockingIOError:
                pass
            except OSError:
                selector.unregister(client)
                client.close()
                begin()
        if begun >= count:
            ready.set()


def parse(ready, port, requests):
    """Sends requests one after the other, each when the one before was answered."""
    ready.set()
    while True:
        for request in requests:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)) as client:
                client.sendall(request)
                client.recv(65_536)


def flood():
    """20,000 idle connections (fewer if the system allows fewer descriptors), 5,000 bodies without their last byte and the costliest JSON at once: pages are served, the memory stays bounded and goes back."""
    # Clients that were cut stay for two seconds, to read their response.
    slow, ending = 5_000, 5_000
    idle = min(20_000, resource.getrlimit(resource.RLIMIT_NOFILE)[1] - slow - ending - 500)
    with Onward(settings={"limits": {"maxConnections": idle + slow + ending}}) as onward:
        def post(path, body):
            return f"POST {path} HTTP/1.1\r\nHost: {onward.host}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body

        link = onward.link(onward.account()[0])
        before = onward.resident
        full = b" " * BODY
        # Before this was bounded, a body to an unknown path cost as much as any other.
        withheld = [post(API + "shop-key-1", full), post("/__/auth/action", full), post("/unknown", full), post(API + "unknown", full)]
        costly = [post(API + key, body.encode()) for body in SHAPES.values() for key in ("shop-key-1", "unknown")]
        most = held = 0
        with beside(rest, onward.port, onward.request("/healthz"), idle), beside(withhold, onward.port, withheld, slow), \
                beside(parse, onward.port, costly), Others(onward, link) as others:
            end = time.monotonic() + 15
            while time.monotonic() < end:
                most = max(most, onward.resident)
                held = max(held, metric(onward, "onward_http_buffered_bytes"))
                time.sleep(0.05)
        limit = metric(onward, "onward_http_max_buffered_bytes")
        start = time.monotonic()
        # Tables that grew with the connections are kept.
        with contextlib.suppress(Failed):
            eventually(lambda: onward.resident < before + 30e6, "the memory goes back")
        returned, after = time.monotonic() - start, onward.resident
        expect(after < before + 30e6, f"of {before / 1e6:.0f} and then {most / 1e6:.0f} MB {after / 1e6:.0f} MB are still resident")
        expect(not others.failures, str(others))
        expect(most < MOST, f"{most / 1e6:.0f} MB are resident")
        expect(held < 1.3 * limit, f"{held / 1e6:.0f} MB are held")
        expect(others.p99 < 0.05, str(others))
        return (f"{idle} idle and {slow} slow clients: {before / 1e6:.0f} MB before, at most {most / 1e6:.0f} MB with {held / 1e6:.0f} MB held, "
                f"{after / 1e6:.0f} MB {returned:.1f} s after; {others}")


def metric(onward, name):
    text = onward.ask("GET", "/metrics", port=onward.admin_port).text
    return float(next(line.split()[1] for line in text.splitlines() if line.startswith(name + " ")))


CHECKS = [flood]
