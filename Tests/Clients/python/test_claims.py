"""Custom claims, which a back-end adds to the ID tokens of an account."""

import json

import pytest
from firebase_admin import auth

import fresh


def test_claims_are_in_the_account_and_in_every_token_from_then_on(app):
    email = fresh.email()
    user = auth.create_user(email=email, password=app.onward.password)
    session = app.sign_in(email, app.onward.password)
    claims = {"admin": True, "level": 7, "roles": ["a", "b"], "nested": {"deep": "\u00e9"}}
    auth.set_custom_user_claims(user.uid, claims)
    assert auth.get_user(user.uid).custom_claims == claims
    for token in [app.refresh(session["refreshToken"])["id_token"], app.sign_in(email, app.onward.password)["idToken"]]:
        verified = auth.verify_id_token(token)
        assert {name: verified.get(name) for name in claims} == claims


def test_claims_that_are_cleared_are_gone(app):
    email = fresh.email()
    user = auth.create_user(email=email, password=app.onward.password)
    auth.set_custom_user_claims(user.uid, {"admin": True})
    auth.set_custom_user_claims(user.uid, None)
    assert auth.get_user(user.uid).custom_claims is None
    assert "admin" not in auth.verify_id_token(app.sign_in(email, app.onward.password)["idToken"])


@pytest.mark.parametrize("name", sorted([
    "acr", "amr", "at_hash", "aud", "auth_time", "azp", "c_hash", "cnf", "exp", "firebase", "iat", "iss", "jti", "nbf", "nonce", "sub"]))
def test_a_name_that_tokens_need_is_refused(app, name):
    """The SDK refuses them, and the server refuses them for other clients."""
    user = auth.create_user()
    with pytest.raises(ValueError):
        auth.set_custom_user_claims(user.uid, {name: "x"})
    answer = app.admin("/accounts:update", localId=user.uid, customAttributes=json.dumps({name: "x"}))
    assert (answer.status_code, answer.json()["error"]["message"].split(" : ")) == (400, ["FORBIDDEN_CLAIM", name])


@pytest.mark.parametrize("text, code", [
    (json.dumps({"x": "y" * 1000}), "CLAIMS_TOO_LARGE"), ("[]", "INVALID_CLAIMS"), ("{", "INVALID_CLAIMS"), ('"x"', "INVALID_CLAIMS")])
def test_claims_that_are_too_large_or_no_object_are_refused(app, text, code):
    user = auth.create_user()
    with pytest.raises(ValueError):
        auth.set_custom_user_claims(user.uid, text)
    answer = app.admin("/accounts:update", localId=user.uid, customAttributes=text)
    assert (answer.status_code, answer.json()["error"]["message"].split(" : ")[0]) == (400, code)
    assert auth.get_user(user.uid).custom_claims is None


def test_as_many_claims_as_fit_are_taken(onward):
    user = auth.create_user()
    claims = {"x": "y" * (1000 - len(json.dumps({"x": ""})))}
    auth.set_custom_user_claims(user.uid, claims)
    assert auth.get_user(user.uid).custom_claims == claims


def test_an_app_cannot_set_its_own_claims(app):
    email = fresh.email()
    auth.create_user(email=email, password=app.onward.password)
    token = app.sign_in(email, app.onward.password)["idToken"]
    assert app.refusal("update", idToken=token, customAttributes='{"admin":true}') == "INSUFFICIENT_PERMISSION"
