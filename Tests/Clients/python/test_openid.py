"""Sign-in with a real OpenID provider over TLS, by its page and with ID tokens of an app, on `onward serve`."""

import concurrent.futures
import hashlib
import time
import urllib.parse

import pyotp
import pytest
import requests

import fresh
import onward as onwards
from onward import PATIENCE
from openid import Authority, Provider

PAGE = "https://example.com/signed-in"


@pytest.fixture(scope="module")
def authority(tmp_path_factory):
    return Authority(tmp_path_factory.mktemp("authority"))


@pytest.fixture(scope="module")
def provider(authority):
    [port] = onwards.free_ports(1)
    with Provider(authority, port).running() as provider:
        yield provider


@pytest.fixture(scope="module")
def moving(authority):
    """A provider that starts and stops in a test."""
    [port] = onwards.free_ports(1)
    return Provider(authority, port)


@pytest.fixture(scope="module")
def onward(authority, provider, moving, tmp_path_factory):
    """An Onward of this file's own, whose project has the provider: by its page, by ID tokens, and with a stranger's certificates."""
    folder = tmp_path_factory.mktemp("openid")
    (folder / "client-secret").write_text("a secret of the shop")
    (folder / "client-secret").chmod(0o600)
    stranger = Authority(folder, "stranger")
    here = {"url": provider.url, "caFile": str(authority.file), "clientIDs": ["shop-web"], "verifiesEmail": True}
    providers = [
        here | {"id": "oidc.page", "clientSecret": {"file": str(folder / "client-secret")}},
        here | {"id": "oidc.token", "clientIDs": ["shop-web", "shop-ios"]},
        here | {"id": "oidc.moving", "url": moving.url},
        here | {"id": "oidc.distrusted", "caFile": str(stranger.file)},
        {name: here[name] for name in ("url", "clientIDs")} | {"id": "oidc.system"},
    ]
    with onwards.serve(folder, providers=providers, secondFactors={"totp": True, "recoveryCodes": True}) as running:
        yield running


@pytest.fixture(scope="module")
def user(provider):
    """Makes a user of the provider; returns their id and address."""
    def create():
        subject, email = fresh.uid(), fresh.email()
        provider.set_user(subject, email=email, email_verified=True, name="Ada")
        return subject, email
    return create


def credential(token, provider="oidc.token", **more):
    return {
        "requestUri": "http://localhost", "returnSecureToken": True,
        "postBody": urllib.parse.urlencode({"providerId": provider, "id_token": token} | more)}


def by_page(app, provider, subject):
    """The way by the provider's page and back; returns the body of the last call."""
    start = app.get("createAuthUri", providerId="oidc.page", continueUri=PAGE)
    back = provider.sign_in(start["authUri"], subject)
    assert back.startswith(PAGE + "?")
    return {"requestUri": back, "sessionId": start["sessionId"], "returnSecureToken": True}


def test_a_user_signs_in_by_the_page(app, provider, user):
    subject, email = user()
    body = by_page(app, provider, subject)
    answer = app.get("signInWithIdp", **body)
    assert (answer["federatedId"], answer["email"], answer["emailVerified"], answer["isNewUser"]) == (subject, email, True, True)
    again = app.get("signInWithIdp", **by_page(app, provider, subject))
    assert again["localId"] == answer["localId"] and not again.get("isNewUser")
    assert app.refusal("signInWithIdp", **body) == "INVALID_IDP_RESPONSE"  # a code works once


def test_a_user_signs_in_with_a_token_of_an_app(app, provider, user):
    subject, _ = user()
    for client in ("shop-web", "shop-ios"):
        raw = fresh.uid()
        token = provider.id_token(subject, client, nonce=hashlib.sha256(raw.encode()).hexdigest())
        assert app.get("signInWithIdp", **credential(token, nonce=raw))["federatedId"] == subject
        assert app.refusal("signInWithIdp", **credential(token, nonce="another")) == "MISSING_OR_INVALID_NONCE"


def test_a_token_for_another_app_is_refused(app, provider, user):
    assert app.refusal("signInWithIdp", **credential(provider.id_token(user()[0], "another-shop"))) == "INVALID_IDP_RESPONSE"


@pytest.mark.parametrize("distrusted", ["oidc.distrusted", "oidc.system"])
def test_a_provider_with_another_certificate_is_not_believed(app, onward, provider, user, distrusted):
    response = app.call("signInWithIdp", **credential(provider.id_token(user()[0]), distrusted))
    assert response.status_code == 503 and "idToken" not in response.json()
    assert "its certificate is not accepted: " in onward.complete_log()


def test_a_provider_is_linked_and_unlinked(app, provider, user):
    subject, _ = user()
    account = app.get("signUp", email=fresh.email(), password="correct horse 7", returnSecureToken=True)
    token = provider.id_token(subject)
    linked = app.get("signInWithIdp", idToken=account["idToken"], **credential(token))
    assert linked["localId"] == account["localId"]
    other = app.get("signUp", returnSecureToken=True)
    conflict = app.get("signInWithIdp", idToken=other["idToken"], returnIdpCredential=True, **credential(token))
    assert conflict["errorMessage"] == "FEDERATED_USER_ID_ALREADY_LINKED" and "idToken" not in conflict
    left = app.get("update", idToken=linked["idToken"], deleteProvider=["oidc.token"])
    assert [each["providerId"] for each in left["providerUserInfo"]] == ["password"]
    assert app.get("signInWithIdp", **credential(token))["localId"] != account["localId"]


def test_the_owner_of_an_address_keeps_nothing_of_who_registered_it_first(app, provider, user):
    subject, email = user()
    squatter = app.get("signUp", email=email, password="correct horse 7", returnSecureToken=True)
    owner = app.get("signInWithIdp", **by_page(app, provider, subject))
    assert owner["localId"] == squatter["localId"]
    assert app.refusal("lookup", idToken=squatter["idToken"]) == "TOKEN_EXPIRED"
    assert app.call("signInWithPassword", email=email, password="correct horse 7").status_code == 400


def test_an_authenticator_app_is_asked_for_after_the_provider(app, onward, provider, user):
    """The codes are those of pyotp."""
    subject, _ = user()
    signed_in = app.get("signInWithIdp", **credential(provider.id_token(subject)))
    session = v2(onward, "mfaEnrollment:start", idToken=signed_in["idToken"], totpEnrollmentInfo={})["totpSessionInfo"]
    totp, now = pyotp.TOTP(session["sharedSecretKey"]), time.time()

    def codes(code):
        return {"verificationCode": code}
    enrolled = v2(
        onward, "mfaEnrollment:finalize", idToken=signed_in["idToken"], displayName="pyotp",
        totpVerificationInfo=codes(totp.at(now)) | {"sessionInfo": session["sessionInfo"]})
    for body in (credential(provider.id_token(subject)), by_page(app, provider, subject)):
        answer = app.get("signInWithIdp", **body)
        assert "idToken" not in answer
        pending = {"mfaPendingCredential": answer["mfaPendingCredential"], "mfaEnrollmentId": answer["mfaInfo"][0]["mfaEnrollmentId"]}
        assert v2(onward, "mfaSignIn:finalize", **pending, totpVerificationInfo=codes(totp.at(now)))["error"]["message"] == "INVALID_CODE"
    # The code of the enrolment was used; that of the next step is accepted early.
    assert v2(onward, "mfaSignIn:finalize", **pending, totpVerificationInfo=codes(totp.at(now + 30)))["idToken"]
    assert v2(onward, "mfaSignIn:finalize", **pending, totpVerificationInfo=codes(enrolled["recoveryCodes"][0]))["idToken"]


def test_a_provider_that_does_not_answer_delays_nobody_else(app, provider, user):
    subject, _ = user()
    body, token = by_page(app, provider, subject), provider.id_token(subject)
    provider.responds.clear()
    try:
        with concurrent.futures.ThreadPoolExecutor() as pool:
            slow = pool.submit(app.call, "signInWithIdp", **body)
            # The keys are known.
            assert app.get("signInWithIdp", **credential(token))["federatedId"] == subject
            assert slow.result().status_code == 503
    finally:
        provider.responds.set()
    assert app.get("signInWithIdp", **by_page(app, provider, subject))["federatedId"] == subject


def test_a_provider_that_was_down_is_asked_again_and_its_new_keys_are_found(app, moving):
    with moving.running():
        moving.set_user("ada", email=fresh.email())
        old = moving.id_token("ada")
    assert app.call("signInWithIdp", **credential(old, "oidc.moving")).status_code == 503
    with moving.running():
        older, old = old, moving.id_token("ada")
        accepted(app, old)
        assert app.refusal("signInWithIdp", **credential(older, "oidc.moving")) == "INVALID_IDP_RESPONSE"
    # Its keys are still known.
    accepted(app, old)
    with moving.running():
        accepted(app, moving.id_token("ada"))
        assert app.refusal("signInWithIdp", **credential(old, "oidc.moving")) == "INVALID_IDP_RESPONSE"


def accepted(app, token):
    """Waits until a token is accepted: Onward asks a provider again after a while."""
    deadline = time.monotonic() + PATIENCE
    while (response := app.call("signInWithIdp", **credential(token, "oidc.moving"))).status_code != 200:
        assert time.monotonic() < deadline, response.text
        time.sleep(5)  # as often as the limit of failed sign-ins allows


def v2(onward, method, **body):
    return requests.post(
        f"{onward.origin}/identitytoolkit.googleapis.com/v2/accounts/{method}", params={"key": onward.api_key}, json=body, timeout=PATIENCE).json()
