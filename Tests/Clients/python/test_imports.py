"""Imported accounts keep their passwords."""

import base64
import time

import bcrypt
import pytest
from firebase_admin import auth

import fresh
import hashes

PASSWORD, SALT = "an old password 6", b"NaCl and more"


@pytest.mark.parametrize("name", hashes.ALGORITHMS)
def test_an_old_password_goes_on_working(app, name):
    algorithm, computed = hashes.ALGORITHMS[name]
    salt = None if name == "BCRYPT" else SALT
    uid, email = fresh.uid(), fresh.email()
    imported(auth.ImportUserRecord(
        uid, email=email, password_hash=computed(PASSWORD.encode(), SALT), password_salt=salt), hash_alg=algorithm)
    assert app.refusal("signInWithPassword", email=email, password="not " + PASSWORD) in {
        "INVALID_PASSWORD", "INVALID_LOGIN_CREDENTIALS"}
    # The second sign-in uses Onward's own hash.
    for _ in range(2):
        assert app.sign_in(email, PASSWORD)["localId"] == uid
    assert [each.provider_id for each in auth.get_user(uid).provider_data] == ["password"]


def test_a_published_hash_of_firebase_is_understood(app):
    """Source: the README of github.com/firebase/scrypt, byte for byte."""
    email = fresh.email()
    published = "lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ=="
    assert hashes.firebase_scrypt(b"user1password", base64.b64decode("42xEC+ixf3L2lw==")) == base64.b64decode(published)
    imported(
        auth.ImportUserRecord(
            fresh.uid(), email=email, password_hash=base64.b64decode(published), password_salt=base64.b64decode("42xEC+ixf3L2lw==")),
        hash_alg=hashes.ALGORITHMS["SCRYPT"][0])
    app.sign_in(email, "user1password")


def test_everything_said_of_an_account_is_imported(onward):
    uid, email, phone, google = fresh.uid(), fresh.email(), fresh.phone(), fresh.uid()
    imported(auth.ImportUserRecord(
        uid, email=email, email_verified=True, display_name="Barbara Liskov", phone_number=phone,
        photo_url="https://example.com/barbara.png", disabled=True, custom_claims={"admin": True},
        user_metadata=auth.UserMetadata(1_500_000_000_000, 1_600_000_000_000),
        provider_data=[auth.UserProvider(google, "google.com", email, "Barbara", "https://example.com/google.png")]))
    user = auth.get_user(uid)
    assert (user.email, user.email_verified, user.display_name, user.phone_number) == (email, True, "Barbara Liskov", phone)
    assert (user.photo_url, user.disabled, user.custom_claims) == ("https://example.com/barbara.png", True, {"admin": True})
    times = user.user_metadata
    assert (times.creation_timestamp, times.last_sign_in_timestamp) == (1_500_000_000_000, 1_600_000_000_000)
    providers = {each.provider_id: each for each in user.provider_data}
    assert set(providers) == {"google.com", "phone"}
    linked = providers["google.com"]
    assert (linked.uid, linked.email, linked.display_name, linked.photo_url) == (
        google, email, "Barbara", "https://example.com/google.png")


def test_rows_that_cannot_be_are_told_one_by_one_and_the_others_come_in(onward):
    taken_email, taken_phone = fresh.email(), fresh.phone()
    auth.create_user(email=taken_email, phone_number=taken_phone)
    good, twice = [fresh.uid(), fresh.uid()], fresh.email()
    result = auth.import_users([
        auth.ImportUserRecord(good[0], email=twice),
        auth.ImportUserRecord(fresh.uid(), email=taken_email),
        auth.ImportUserRecord(fresh.uid(), phone_number=taken_phone),
        auth.ImportUserRecord(fresh.uid(), email=twice),
        auth.ImportUserRecord(fresh.uid(), phone_number="+none"),
        auth.ImportUserRecord(good[1]),
    ])
    assert [error.index for error in result.errors] == [1, 2, 3, 4]
    assert all(error.reason for error in result.errors)
    assert (result.success_count, result.failure_count) == (2, 4)
    assert {each.uid for each in auth.get_users([auth.UidIdentifier(uid) for uid in good]).users} == set(good)


def test_an_id_twice_in_one_import_is_refused(onward):
    uid = fresh.uid()
    with pytest.raises(auth.UidAlreadyExistsError):
        auth.import_users([auth.ImportUserRecord(uid), auth.ImportUserRecord(uid)])


@pytest.mark.parametrize("bad", [b"not a hash", b"$2b$31$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW"], ids=["none", "endless"])
def test_a_hash_that_cannot_be_computed_is_told_and_never_tried(onward, bad):
    """A bcrypt hash of cost 31 would keep a core busy for days."""
    good, begun = fresh.uid(), time.monotonic()
    result = auth.import_users([
        auth.ImportUserRecord(good, email=fresh.email(), password_hash=bcrypt.hashpw(b"a password", bcrypt.gensalt(5))),
        auth.ImportUserRecord(fresh.uid(), email=fresh.email(), password_hash=bad),
    ], hash_alg=auth.UserImportHash.bcrypt())
    assert [error.index for error in result.errors] == [1]
    assert auth.get_user(good).uid == good
    assert time.monotonic() - begun < 30


def imported(user, **how):
    result = auth.import_users([user], **how)
    assert result.failure_count == 0, result.errors[0].reason
