"""Sign-in by phone, and phones as second factors of accounts that the Admin SDK made: in dev with the emulator's list of codes, in
serve with a webhook that verifies each message."""

import base64
import hashlib
import hmac
import http.server
import json
import os
import threading

import firebase_admin
import pytest
import requests
from firebase_admin import auth

import fresh
import onward as onwards
from app import App
from onward import PATIENCE

KEY = b"twenty-four bytes at least"


class Phones(http.server.ThreadingHTTPServer):
    """A webhook that keeps the messages whose signature is right."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Receiver)
        self.messages = []
        self.url = f"http://127.0.0.1:{self.server_address[1]}/texts"

    def code(self, number):
        return next(each["code"] for each in reversed(self.messages) if each["to"] == number)


class Receiver(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        signed = f"{self.headers['webhook-id']}.{self.headers['webhook-timestamp']}.".encode() + body
        signature = "v1," + base64.b64encode(hmac.new(KEY, signed, hashlib.sha256).digest()).decode()
        message = json.loads(body)["data"]
        is_right = hmac.compare_digest(signature, self.headers["webhook-signature"]) and message["id"] == self.headers["webhook-id"]
        if is_right:
            self.server.messages.append(message)
        self.send_response(204 if is_right else 401)
        self.end_headers()

    def log_message(self, *_):
        pass


@pytest.fixture
def phones():
    with Phones() as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture
def phone_server(phones, tmp_path, monkeypatch):
    """A server that sends text messages, with an app of the admin SDK."""
    key = tmp_path / "key"
    key.write_text("whsec_" + base64.b64encode(KEY).decode())
    os.chmod(key, 0o600)
    settings = {"webhook": {"url": phones.url, "secret": {"file": str(key)}}, "countries": ["+1"]}
    with onwards.serve(tmp_path, signIn={"phone": True}, textMessages=settings) as running:
        monkeypatch.setenv("FIREBASE_AUTH_EMULATOR_HOST", running.admin_host)
        running.admin = firebase_admin.initialize_app(options={"projectId": running.project}, name="phones")
        yield running
        firebase_admin.delete_app(running.admin)


def mfa(server, step, **body):
    url = f"{server.origin}/identitytoolkit.googleapis.com/v2/accounts/mfaSignIn:{step}"
    response = requests.post(url, params={"key": server.api_key}, json=body, timeout=PATIENCE)
    assert response.ok, response.text
    return response.json()


def test_sign_in_by_phone(onward, app):
    """In dev: the code is in the emulator's list until it is used."""
    number = fresh.phone()
    if onward.kind == "serve":
        assert app.refusal("sendVerificationCode", phoneNumber=number) == "OPERATION_NOT_ALLOWED"
        return
    session = app.get("sendVerificationCode", phoneNumber=number, recaptchaToken="ignored")["sessionInfo"]
    url = f"{onward.origin}/emulator/v1/projects/{onward.project}/verificationCodes"
    sent = [each for each in requests.get(url, timeout=PATIENCE).json()["verificationCodes"] if each["phoneNumber"] == number]
    assert [each["sessionInfo"] for each in sent] == [session]
    user = app.get("signInWithPhoneNumber", sessionInfo=session, code=sent[0]["code"])
    assert user["isNewUser"] and user["phoneNumber"] == number
    assert auth.get_user_by_phone_number(number).uid == user["localId"]
    assert auth.verify_id_token(user["idToken"])["firebase"]["sign_in_provider"] == "phone"
    assert all(each["phoneNumber"] != number for each in requests.get(url, timeout=PATIENCE).json()["verificationCodes"])
    assert requests.get(f"{onward.origin}/inbox", headers={"Accept": "text/html"}, timeout=PATIENCE).text.count(number) == 1


def test_webhook(phone_server, phones):
    app, number = App(phone_server), fresh.phone()
    session = app.get("sendVerificationCode", phoneNumber=number)["sessionInfo"]
    message = phones.messages[-1]
    assert (message["to"], message["text"]) == (number, f"{message['code']} is your verification code for Demo App.")
    assert session not in json.dumps(phones.messages)
    assert app.get("signInWithPhoneNumber", sessionInfo=session, code=message["code"])["isNewUser"]
    assert app.refusal("sendVerificationCode", phoneNumber="+447700900123") == "OPERATION_NOT_ALLOWED"
    log = phone_server.complete_log()
    assert all(secret not in log for secret in (message["code"], number, session))


def test_webhook_that_is_down(phone_server, phones):
    phones.RequestHandlerClass = type("Down", (Receiver,), {"do_POST": lambda self: self.send_error(500)})
    response = App(phone_server).call("sendVerificationCode", phoneNumber=fresh.phone())
    assert response.status_code == 503


def test_imported_account_whose_only_second_factor_is_a_phone(phone_server, phones):
    """As Firebase exports it, with a number that the app does not know."""
    app, number, email = App(phone_server), fresh.phone(), fresh.email()
    user = auth.create_user(email=email, email_verified=True, password=phone_server.password, app=phone_server.admin)
    response = app.admin("/accounts:update", localId=user.uid, mfa={"enrollments": [{"mfaEnrollmentId": "phone", "phoneInfo": number}]})
    assert response.ok, response.text
    first = app.sign_in(email, phone_server.password)
    assert "idToken" not in first and first["mfaInfo"][0]["phoneInfo"].endswith(number[-4:])
    pending = first["mfaPendingCredential"]
    started = mfa(phone_server, "start", mfaPendingCredential=pending, mfaEnrollmentId="phone", phoneSignInInfo={"recaptchaToken": "x"})
    session = started["phoneResponseInfo"]["sessionInfo"]
    # As the JavaScript SDK does, without the id of the factor.
    tokens = mfa(
        phone_server, "finalize", mfaPendingCredential=pending,
        phoneVerificationInfo={"sessionInfo": session, "code": phones.code(number)})
    claims = auth.verify_id_token(tokens["idToken"], app=phone_server.admin)["firebase"]
    assert (claims["sign_in_second_factor"], claims["second_factor_identifier"]) == ("phone", "phone")
