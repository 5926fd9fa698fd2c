"""Custom tokens, by which a back-end signs a user in."""

import time

import jwt
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from firebase_admin import auth

import fresh
import onward as onwards

AUDIENCE = "https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit"
EMAIL = "signer@demo-project.iam.gserviceaccount.com"


@pytest.mark.parametrize("onward", ["dev"], indirect=True)
def test_a_custom_token_signs_somebody_new_in(app):
    uid = fresh.uid()
    token = auth.create_custom_token(uid, {"premium": True, "plan": {"level": 3}}).decode()
    session = app.get("signInWithCustomToken", token=token, returnSecureToken=True)
    assert session["isNewUser"]
    claims = auth.verify_id_token(session["idToken"])
    assert (claims["uid"], claims["premium"], claims["plan"]) == (uid, True, {"level": 3})
    assert claims["firebase"]["sign_in_provider"] == "custom"
    assert auth.get_user(uid).provider_data == []
    # The claims of the token belong to this session, also after a refresh, not to the account.
    assert auth.get_user(uid).custom_claims is None
    assert auth.verify_id_token(app.refresh(session["refreshToken"])["id_token"])["premium"] is True


@pytest.mark.parametrize("onward", ["dev"], indirect=True)
def test_a_custom_token_signs_somebody_known_in(app):
    user = auth.create_user(email=fresh.email())
    auth.set_custom_user_claims(user.uid, {"role": "editor"})
    session = app.get("signInWithCustomToken", token=auth.create_custom_token(user.uid).decode(), returnSecureToken=True)
    assert not session["isNewUser"]
    claims = auth.verify_id_token(session["idToken"])
    assert (claims["uid"], claims["role"], claims["email"]) == (user.uid, "editor", user.email)


@pytest.mark.parametrize("onward", ["dev"], indirect=True)
def test_in_development_plain_json_is_a_custom_token(app):
    uid = fresh.uid()
    session = app.get("signInWithCustomToken", token='{"uid":"%s","claims":{"premium":true}}' % uid, returnSecureToken=True)
    assert auth.verify_id_token(session["idToken"])["uid"] == uid


@pytest.mark.parametrize("onward", ["dev"], indirect=True)
def test_a_custom_token_does_not_sign_the_disabled_in(app):
    user = auth.create_user(disabled=True)
    assert app.refusal("signInWithCustomToken", token=auth.create_custom_token(user.uid).decode()) == "USER_DISABLED"


@pytest.mark.parametrize("token, code", [("", "MISSING_CUSTOM_TOKEN"), ("nonsense", "INVALID_CUSTOM_TOKEN")])
def test_nonsense_signs_nobody_in(app, token, code):
    assert app.refusal("signInWithCustomToken", token=token) == code


@pytest.mark.parametrize("onward", ["serve"], indirect=True)
def test_in_production_an_unsigned_custom_token_signs_nobody_in(app):
    """The admin SDK in emulator mode makes only unsigned tokens."""
    for token in [auth.create_custom_token(fresh.uid()).decode(), '{"uid":"%s"}' % fresh.uid()]:
        assert app.refusal("signInWithCustomToken", token=token) in {"INVALID_CUSTOM_TOKEN", "CREDENTIAL_MISMATCH"}


class TestOfAServiceAccount:
    """In production a token is signed by a service account that the configuration names."""

    @pytest.fixture(scope="class")
    def keys(self):
        return [rsa.generate_private_key(public_exponent=65537, key_size=2048) for _ in range(2)]

    @pytest.fixture(scope="class")
    def onward(self, keys, tmp_path_factory):
        folder = tmp_path_factory.mktemp("trusting")
        public_key = folder / "signer.pem"
        public_key.write_bytes(keys[0].public_key().public_bytes(
            serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo))
        with onwards.serve(folder, serviceAccounts=[{"email": EMAIL, "publicKey": str(public_key)}]) as running:
            yield running

    @staticmethod
    def signed(key, **claims):
        now = int(time.time())
        claims = {"iss": EMAIL, "sub": EMAIL, "aud": AUDIENCE, "iat": now, "exp": now + 3600, "uid": fresh.uid()} | claims
        return jwt.encode(claims, key, algorithm="RS256")

    def test_it_signs_somebody_in_with_claims(self, app, keys):
        uid = fresh.uid()
        session = app.get("signInWithCustomToken", token=self.signed(keys[0], uid=uid, claims={"premium": True}), returnSecureToken=True)
        claims = auth.verify_id_token(session["idToken"])
        assert (claims["uid"], claims["premium"]) == (uid, True)
        assert auth.get_user(uid).uid == uid

    @pytest.mark.parametrize("change", [
        {"aud": "https://example.com/"}, {"iss": "other@example.com"}, {"sub": "other@example.com"},
        {"iat": 1_600_000_000, "exp": 1_600_003_600}, {"exp": 9_999_999_999}, {"uid": ""}, {"uid": "x" * 129}, {"uid": 7}, {"uid": None},
    ], ids=lambda change: ", ".join(change))
    def test_it_is_refused_where_anything_is_wrong(self, app, keys, change):
        assert app.refusal("signInWithCustomToken", token=self.signed(keys[0], **change)) in {
            "INVALID_CUSTOM_TOKEN", "CREDENTIAL_MISMATCH", "MISSING_IDENTIFIER"}

    def test_it_is_refused_with_the_key_of_somebody_else(self, app, keys):
        assert app.refusal("signInWithCustomToken", token=self.signed(keys[1])) == "INVALID_CUSTOM_TOKEN"

    def test_claims_with_reserved_names_are_refused(self, app, keys):
        assert app.refusal("signInWithCustomToken", token=self.signed(keys[0], claims={"sub": "x"})) == "FORBIDDEN_CLAIM"
