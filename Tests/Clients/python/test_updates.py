"""Changing accounts."""

import pytest
from firebase_admin import auth

import fresh


def test_every_field_can_be_changed(app):
    user, email, phone = auth.create_user(), fresh.email(), fresh.phone()
    user = auth.update_user(
        user.uid, email=email, email_verified=True, phone_number=phone, password=app.onward.password, display_name="Grace Hopper",
        photo_url="https://example.com/grace.png", custom_claims={"admin": True}, valid_since=1_700_000_000)
    assert (user.email, user.email_verified, user.phone_number, user.display_name) == (email, True, phone, "Grace Hopper")
    assert (user.photo_url, user.custom_claims) == ("https://example.com/grace.png", {"admin": True})
    assert {each.provider_id for each in user.provider_data} == {"password", "phone"}
    assert app.sign_in(email, app.onward.password)["localId"] == user.uid


def test_what_is_not_named_stays(onward):
    user = auth.create_user(email=fresh.email(), display_name="Ada", photo_url="https://example.com/a.png", phone_number=fresh.phone())
    changed = auth.update_user(user.uid, display_name="Augusta")
    assert (changed.email, changed.photo_url, changed.phone_number) == (user.email, user.photo_url, user.phone_number)


def test_what_is_cleared_is_gone(onward):
    user = auth.create_user(display_name="Ada", photo_url="https://example.com/a.png", phone_number=fresh.phone())
    auth.set_custom_user_claims(user.uid, {"admin": True})
    user = auth.update_user(
        user.uid, display_name=auth.DELETE_ATTRIBUTE, photo_url=auth.DELETE_ATTRIBUTE, phone_number=auth.DELETE_ATTRIBUTE,
        custom_claims=auth.DELETE_ATTRIBUTE)
    assert (user.display_name, user.photo_url, user.phone_number, user.custom_claims) == (None, None, None, None)
    assert user.provider_data == []


def test_a_number_that_was_cleared_is_free_again(onward):
    phone = fresh.phone()
    first = auth.create_user(phone_number=phone)
    auth.update_user(first.uid, phone_number=auth.DELETE_ATTRIBUTE)
    assert auth.create_user(phone_number=phone).phone_number == phone


def test_a_new_address_is_not_verified_until_somebody_says_so(onward):
    user = auth.create_user(email=fresh.email(), email_verified=True)
    assert not auth.update_user(user.uid, email=fresh.email()).email_verified


def test_a_new_address_replaces_the_old_one_for_signing_in(app):
    old, new = fresh.email(), fresh.email()
    user = auth.create_user(email=old, password=app.onward.password)
    auth.update_user(user.uid, email=new)
    assert app.sign_in(new, app.onward.password)["localId"] == user.uid
    assert app.refusal("signInWithPassword", email=old, password=app.onward.password) in {
        "EMAIL_NOT_FOUND", "INVALID_LOGIN_CREDENTIALS"}


def test_a_new_password_replaces_the_old_one(app):
    email = fresh.email()
    user = auth.create_user(email=email, password=app.onward.password)
    auth.update_user(user.uid, password="another horse 8")
    assert app.sign_in(email, "another horse 8")["localId"] == user.uid
    assert app.refusal("signInWithPassword", email=email, password=app.onward.password) in {
        "INVALID_PASSWORD", "INVALID_LOGIN_CREDENTIALS"}


def test_a_weak_password_is_refused(app):
    """The server refuses it; the SDK itself refuses passwords shorter than 6."""
    user = auth.create_user()
    response = app.admin("/accounts:update", localId=user.uid, password="12345")
    assert response.status_code == 400
    assert response.json()["error"]["message"].startswith(("WEAK_PASSWORD : ", "PASSWORD_DOES_NOT_MEET_REQUIREMENTS : "))


def test_who_is_disabled_cannot_sign_in_until_enabled_again(app):
    email = fresh.email()
    user = auth.create_user(email=email, password=app.onward.password)
    session = app.sign_in(email, app.onward.password)
    assert auth.update_user(user.uid, disabled=True).disabled
    assert app.refusal("signInWithPassword", email=email, password=app.onward.password) == "USER_DISABLED"
    assert app.refusal("lookup", idToken=session["idToken"]) == "USER_DISABLED"
    assert not auth.update_user(user.uid, disabled=False).disabled
    assert app.sign_in(email, app.onward.password)["localId"] == user.uid


def test_providers_can_be_taken_off(onward):
    uid, email, phone = fresh.uid(), fresh.email(), fresh.phone()
    result = auth.import_users([auth.ImportUserRecord(uid, email=email, phone_number=phone, provider_data=[
        auth.UserProvider(fresh.uid(), "google.com", email=email), auth.UserProvider(fresh.uid(), "facebook.com")])])
    assert result.failure_count == 0, result.errors[0].reason
    user = auth.update_user(uid, providers_to_delete=["google.com", "phone", "never.linked"])
    assert {each.provider_id for each in user.provider_data} == {"facebook.com"}
    assert (user.phone_number, user.email) == (None, email)


def test_nobody_cannot_be_changed(onward):
    with pytest.raises(auth.UserNotFoundError):
        auth.update_user(fresh.uid(), display_name="Nobody")
