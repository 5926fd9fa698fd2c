"""Writes the vectors that lie beside the repository as a fuzz target's first inputs: seeds.py <target> <folder>."""
import base64
import contextlib
import hashlib
import json
import os
import ssl
import sys

target, folder = sys.argv[1:]
data = next((d for d in ("../shared/data", "../../shared/data") if os.path.isdir(d)), None)


def cases(file):
    return json.load(open(f"{data}/{file}"))["cases"]


def http():
    for file in sorted(os.listdir(f"{data}/http11")):
        for case in cases(f"http11/{file}"):
            yield b"".join(base64.b64decode(step.get("raw_b64") or "") for step in case.get("steps") or [case])


def seeds():
    if target == "parser":
        for request in http():
            yield from (b"\x00\x05\x11" + request, b"\x01\x02\x07" + request)
    elif target == "chunks":
        for request in http():
            head, _, body = request.partition(b"\r\n\r\n")
            if b"chunked" in head.lower():
                yield from (b"\x00\x05\x11" + body, b"\x01\x02\x07" + body)
    elif target in ("url", "link", "form"):
        for line in open(f"{data}/url/orange-tsai-samples.txt", "rb"):
            yield (b"link=" if target == "link" else b"") + line.strip()
    elif target == "tls":
        for version in (ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3):
            context = ssl.create_default_context()
            context.minimum_version = context.maximum_version = version
            context.set_alpn_protocols(["http/1.1"])
            hello = ssl.MemoryBIO()
            with contextlib.suppress(ssl.SSLWantReadError):
                context.wrap_bio(ssl.MemoryBIO(), hello, server_hostname="a.example.test").do_handshake()
            yield hello.read()
    elif target == "smtp":
        hello = b"250-relay.test\r\n250-SIZE 35882577\r\n250-AUTH PLAIN LOGIN\r\n250-8BITMIME\r\n250 SMTPUTF8\r\n"
        answers = (b"220 relay.test ESMTP", b"354 go ahead", b"250-2.1.0 a\r\n250 2.1.0 b", b"550 5.1.1 no", b"421")
        yield from (b"\x03" + hello, b"\x05" + b"\r\n".join(answers) + b"\r\n")
    elif target == "email":
        yield from (text.encode() for text in ("\u7528\u6237@\u4f8b\u5b50.\u5e7f\u544a", "jose\u0301@stra\u00dfe.example", "\u3000X@M\u00dcNCHEN.de "))
        for name in ("isemail", "egulias", "fuzzdb", "email-header-injection"):
            yield from (c.encode() for c in texts(json.load(open(f"{data}/email/{name}.json"))))


def texts(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, (list, dict)):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from texts(inner)


if data or target in ("tls", "smtp"):
    for seed in seeds():
        if 0 < len(seed) <= 1024:
            with open(os.path.join(folder, hashlib.sha1(seed).hexdigest()), "wb") as file:
                file.write(seed)
