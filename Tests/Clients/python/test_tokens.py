"""ID tokens and sessions, and their revocation."""

import time

import google.auth.transport.requests
import google.oauth2.id_token
import jwt
import pytest
from firebase_admin import auth

import fresh


class Person:
    def __init__(self, app):
        self.email = fresh.email()
        self.uid = auth.create_user(email=self.email, password=app.onward.password, display_name="Ada").uid
        session = app.sign_in(self.email, app.onward.password)
        self.id_token, self.refresh_token = session["idToken"], session["refreshToken"]


@pytest.fixture
def person(app):
    return Person(app)


def next_second():
    """Times in tokens are whole seconds: an older token must be older by at least a second."""
    now = int(time.time())
    while int(time.time()) == now:
        time.sleep(0.01)


def test_an_id_token_says_who_it_is(onward, person):
    claims = auth.verify_id_token(person.id_token)
    assert (claims["uid"], claims["sub"], claims["user_id"]) == (person.uid,) * 3
    assert (claims["email"], claims["email_verified"], claims["name"]) == (person.email, False, "Ada")
    assert claims["firebase"] == {"identities": {"email": [person.email]}, "sign_in_provider": "password"}
    assert claims["exp"] - claims["iat"] == 3600
    assert claims["auth_time"] <= claims["iat"]
    assert auth.verify_id_token(person.id_token, check_revoked=True)["uid"] == person.uid


def test_a_refreshed_token_is_of_the_same_sign_in(app, person):
    refreshed = app.refresh(person.refresh_token)
    claims, before = auth.verify_id_token(refreshed["id_token"]), auth.verify_id_token(person.id_token)
    assert (claims["uid"], claims["auth_time"]) == (person.uid, before["auth_time"])
    assert refreshed["access_token"] == refreshed["id_token"] and refreshed["user_id"] == person.uid
    assert isinstance(refreshed["expires_in"], str) and refreshed["token_type"] == "Bearer"


@pytest.mark.parametrize("onward", ["dev"], indirect=True)
def test_in_development_tokens_are_unsigned(person):
    """Node's admin SDK in emulator mode accepts only unsigned tokens."""
    assert jwt.get_unverified_header(person.id_token)["alg"] == "none"
    assert person.id_token.endswith(".")


@pytest.mark.parametrize("path", [".well-known/jwks.json", "identitytoolkit.googleapis.com/v1/publicKeys"])
@pytest.mark.parametrize("onward", ["serve"], indirect=True)
def test_in_production_tokens_stand_every_check_of_googles_own_library(onward, person, path):
    """Tokens are verified as admin SDKs do outside emulator mode, with the published keys."""
    claims = google.oauth2.id_token.verify_token(
        person.id_token, google.auth.transport.requests.Request(), audience=onward.project,
        certs_url=f"{onward.origin}/{path}?key={onward.api_key}")
    assert (claims["iss"], claims["sub"]) == (f"https://securetoken.google.com/{onward.project}", person.uid)


@pytest.mark.parametrize("onward", ["serve"], indirect=True)
def test_in_production_an_unsigned_token_is_nobodys(app, person):
    claims = jwt.decode(person.id_token, options={"verify_signature": False})
    forged = jwt.encode(claims, key=None, algorithm="none")
    assert app.refusal("lookup", idToken=forged) == "INVALID_ID_TOKEN"


def test_revoked_sessions_are_over(app, person):
    next_second()
    auth.revoke_refresh_tokens(person.uid)
    assert auth.get_user(person.uid).tokens_valid_after_timestamp >= auth.verify_id_token(person.id_token)["auth_time"] * 1000
    with pytest.raises(auth.RevokedIdTokenError):
        auth.verify_id_token(person.id_token, check_revoked=True)
    assert app.refusal("lookup", idToken=person.id_token) == "TOKEN_EXPIRED"
    with pytest.raises(AssertionError, match="TOKEN_EXPIRED"):
        app.refresh(person.refresh_token)


def test_after_a_revocation_signing_in_works(app, person):
    next_second()
    auth.revoke_refresh_tokens(person.uid)
    session = app.sign_in(person.email, app.onward.password)
    assert auth.verify_id_token(session["idToken"], check_revoked=True)["uid"] == person.uid


def test_an_account_says_when_its_session_was_refreshed(person):
    times = auth.get_user(person.uid).user_metadata
    assert times.last_refresh_timestamp == times.last_sign_in_timestamp


def test_sessions_of_the_disabled_are_over(app, person):
    auth.update_user(person.uid, disabled=True)
    with pytest.raises(auth.UserDisabledError):
        auth.verify_id_token(person.id_token, check_revoked=True)
    assert app.refusal("update", idToken=person.id_token, displayName="x") == "USER_DISABLED"
    with pytest.raises(AssertionError, match="USER_DISABLED"):
        app.refresh(person.refresh_token)


def test_sessions_of_the_deleted_are_over(app, person):
    auth.delete_user(person.uid)
    with pytest.raises(AssertionError, match="USER_NOT_FOUND"):
        app.refresh(person.refresh_token)


def test_a_refresh_token_of_nobody_says_nothing(app, person):
    for forged in ["x", person.refresh_token[:-1], "A" * len(person.refresh_token)]:
        with pytest.raises(AssertionError, match="INVALID_REFRESH_TOKEN"):
            app.refresh(forged)


def test_a_session_cookie_is_made_of_an_id_token_and_says_the_same(onward, person):
    cookie = auth.create_session_cookie(person.id_token, expires_in=3 * 24 * 3600)
    claims, token = auth.verify_session_cookie(cookie, check_revoked=True), auth.verify_id_token(person.id_token)
    assert claims["iss"] == f"https://session.firebase.google.com/{onward.project}"
    assert claims["exp"] - claims["iat"] == 3 * 24 * 3600
    assert {name: claims[name] for name in ["uid", "email", "auth_time", "firebase"]} == {
        name: token[name] for name in ["uid", "email", "auth_time", "firebase"]}


@pytest.mark.parametrize("path", [".well-known/jwks.json", "www.googleapis.com/identitytoolkit/v3/relyingparty/publicKeys"])
@pytest.mark.parametrize("onward", ["serve"], indirect=True)
def test_in_production_session_cookies_stand_every_check_of_googles_own_library(onward, person, path):
    """Google publishes the keys of session cookies at the second path."""
    cookie = auth.create_session_cookie(person.id_token, expires_in=3600)
    claims = google.oauth2.id_token.verify_token(
        cookie, google.auth.transport.requests.Request(), audience=onward.project,
        certs_url=f"{onward.origin}/{path}?key={onward.api_key}")
    assert claims["sub"] == person.uid


def test_a_session_cookie_is_no_id_token(app, person):
    cookie = auth.create_session_cookie(person.id_token, expires_in=3600)
    with pytest.raises(auth.InvalidIdTokenError):
        auth.verify_id_token(cookie)
    assert app.refusal("lookup", idToken=cookie) == "INVALID_ID_TOKEN"


def test_a_session_cookie_ends_with_its_session(onward, person):
    cookie = auth.create_session_cookie(person.id_token, expires_in=3600)
    next_second()
    auth.revoke_refresh_tokens(person.uid)
    with pytest.raises(auth.RevokedSessionCookieError):
        auth.verify_session_cookie(cookie, check_revoked=True)


def test_nonsense_makes_no_session_cookie(onward):
    with pytest.raises(auth.InvalidIdTokenError):
        auth.create_session_cookie("not.a.token", expires_in=3600)


@pytest.mark.parametrize("seconds", [299, 1_209_601])
def test_a_session_cookie_lasts_from_five_minutes_to_two_weeks(app, person, seconds):
    answer = app.admin(":createSessionCookie", idToken=person.id_token, validDuration=str(seconds))
    assert (answer.status_code, answer.json()["error"]["message"].split(" : ")[0]) == (400, "INVALID_DURATION")
