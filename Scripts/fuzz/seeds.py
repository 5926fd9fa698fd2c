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
    elif target == "receipt":
        yield json.dumps({
            "kind": "done", "action": "verifyEmail", "code": "A" * 43, "apiKey": "key", "language": "de", "account": "a@app.example", "issued": 0,
            "choice": "notMine", "addressChange": {}, "passwordReset": "B" * 43}).encode()
    elif target == "sealed":
        yield b"\x00\x01\x02a secret"
    elif target == "token":
        claims = {
            "iss": "https://securetoken.google.com/shop", "aud": "shop", "sub": "ada", "user_id": "ada", "auth_time": 1, "iat": 1, "exp": 2,
            "firebase": {"identities": {"email": ["a@app.example"]}, "sign_in_provider": "password"}, "email": "a@app.example", "uid": "ada",
            "email_verified": True, "claims": {"role": "editor"}}
        for head in ({"alg": "none", "typ": "JWT"}, {"alg": "RS256", "kid": "1"}):
            yield (json.dumps(head) + "|" + json.dumps(claims) + "|").encode()
        yield b"A" * 43
    elif target == "template":
        yield from (
            b"\x00{{appName}}: {{#displayName}}Hello {{displayName}}{{/displayName}}", b"\x01Hello {{^displayName}}you{{/displayName}},\n{{link}}\n%APP_NAME%",
            b"\x02<!DOCTYPE html><html><body style='color:red'><p>Hello <b>{{displayName}}</b></p><a href=\"{{link}}\">{{button}}</a></body></html>",
            b"\x02<table><tr><td>{{! comment }}<a href='%LINK%'>x</a><img src=\"https://app.example/a.png\" alt=''></td></tr></table>")
    elif target == "feedback":
        yield b"\x00" + json.dumps({"RecordType": "Bounce", "Type": "HardBounce", "Email": "a@app.example", "Details": "x"}).encode()
        yield b"\x01" + json.dumps({"type": "mail.bounced", "data": {"to": "a@app.example", "permanent": True, "answer": "550 5.1.1"}}).encode()
        yield b"\x02" + json.dumps({
            "event": "failed", "severity": "permanent", "reason": "bounce", "recipient": "a@app.example", "delivery-status": {"message": "x"}}).encode()
        yield b"\x03" + json.dumps({
            "Type": "Notification", "TopicArn": "arn:aws:sns:eu-west-1:1:t", "Message": "{}", "SigningCertURL": "https://sns.amazonaws.com/a.pem",
            "Timestamp": "2026-01-01T00:00:00.000Z", "Signature": "AAAA", "SignatureVersion": "1", "MessageId": "1"}).encode()
    elif target == "import":
        yield b"\x00" + json.dumps({
            "localId": "ada", "email": "a@app.example", "emailVerified": True, "passwordHash": "AAAA", "salt": "AAAA", "displayName": "Ada",
            "phoneNumber": "+15555550100", "customAttributes": "{\"a\":1}", "createdAt": "1700000000000", "disabled": False,
            "providerUserInfo": [{"providerId": "google.com", "rawId": "1", "email": "a@gmail.example"}],
            "mfaInfo": [{"mfaEnrollmentId": "1", "phoneInfo": "+15555550101", "enrolledAt": "2026-01-01T00:00:00Z"}]}).encode()
        yield b"\x01ada,a@app.example,true,AAAA,AAAA,Ada," + b"," * 16 + b",1700000000000,1700000000000,+15555550100,false,{}"
    elif target == "configuration":
        for file in sorted(os.listdir("Config")):
            if file.endswith(".yaml"):
                with open(f"Config/{file}", "rb") as config:
                    text = b"\n".join(line for line in config.read().split(b"\n") if not line.strip().startswith(b"#"))
                    yield from (text[start : start + 1000] for start in range(0, len(text), 700))
        yield b"publicOrigin: https://auth.example\ndatabase: onward.sqlite\nprojects: [{id: shop, displayName: Shop, authorizedDomains: [app.example]}]\n"
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


if data or target in ("tls", "smtp", "receipt", "sealed", "token", "template", "feedback", "import", "configuration"):
    for seed in seeds():
        if 0 < len(seed) <= 1024:
            with open(os.path.join(folder, hashlib.sha1(seed).hexdigest()), "wb") as file:
                file.write(seed)
