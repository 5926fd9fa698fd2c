"""Creating and finding accounts."""

import time

import pytest
from firebase_admin import auth, exceptions

import fresh


def test_an_account_is_made_with_everything_that_can_be_said_of_it(onward):
    uid, email, phone = fresh.uid(), fresh.email(), fresh.phone()
    before = time.time()
    user = auth.create_user(
        uid=uid, email=email, email_verified=True, phone_number=phone, password=onward.password, display_name="Ada Lovelace",
        photo_url="https://example.com/ada.png", disabled=True)
    assert (user.uid, user.email, user.email_verified, user.phone_number) == (uid, email, True, phone)
    assert (user.display_name, user.photo_url, user.disabled) == ("Ada Lovelace", "https://example.com/ada.png", True)
    assert user.custom_claims is None and user.tenant_id is None
    assert before - 5 <= user.user_metadata.creation_timestamp / 1000 <= time.time() + 5
    assert user.user_metadata.last_sign_in_timestamp is None
    assert {each.provider_id: each.uid for each in user.provider_data} == {"password": email, "phone": phone}


def test_an_account_needs_nothing_at_all(onward):
    user = auth.create_user()
    assert user.uid and user.email is None and user.provider_data == []
    assert not user.disabled and not user.email_verified
    assert auth.get_user(user.uid).uid == user.uid


def test_an_account_with_a_password_can_sign_in(app):
    email = fresh.email()
    user = auth.create_user(email=email, password=app.onward.password)
    assert app.sign_in(email, app.onward.password)["localId"] == user.uid
    assert auth.get_user(user.uid).user_metadata.last_sign_in_timestamp is not None


def test_an_account_is_found_by_id_address_and_number(onward):
    email, phone = fresh.email(), fresh.phone()
    user = auth.create_user(email=email, phone_number=phone)
    assert auth.get_user(user.uid).email == email
    assert auth.get_user_by_email(email).uid == user.uid
    assert auth.get_user_by_email(email.upper()).uid == user.uid
    assert auth.get_user_by_phone_number(phone).uid == user.uid


@pytest.mark.parametrize("find", [
    lambda: auth.get_user(fresh.uid()),
    lambda: auth.get_user_by_email(fresh.email()),
    lambda: auth.get_user_by_phone_number(fresh.phone()),
], ids=["id", "address", "number"])
def test_nobody_is_found_where_nobody_is(onward, find):
    with pytest.raises(auth.UserNotFoundError):
        find()


def test_many_are_found_at_once_by_whatever_names_them(onward):
    google, phone, email = fresh.uid(), fresh.phone(), fresh.email()
    by_id, by_email, by_phone = auth.create_user(), auth.create_user(email=email), auth.create_user(phone_number=phone)
    by_provider = fresh.uid()
    imported = auth.import_users([auth.ImportUserRecord(by_provider, provider_data=[auth.UserProvider(google, "google.com")])])
    assert imported.failure_count == 0, imported.errors[0].reason
    nobodies = [
        auth.UidIdentifier(fresh.uid()), auth.EmailIdentifier(fresh.email()), auth.PhoneIdentifier(fresh.phone()),
        auth.ProviderIdentifier("google.com", fresh.uid()),
    ]
    found = auth.get_users([
        auth.UidIdentifier(by_id.uid), auth.EmailIdentifier(email), auth.PhoneIdentifier(phone),
        auth.ProviderIdentifier("google.com", google), *nobodies,
    ])
    assert {each.uid for each in found.users} == {by_id.uid, by_email.uid, by_phone.uid, by_provider}
    assert found.not_found == nobodies


def test_who_is_named_twice_is_found_once(onward):
    email = fresh.email()
    user = auth.create_user(email=email)
    found = auth.get_users([auth.UidIdentifier(user.uid), auth.EmailIdentifier(email)])
    assert [each.uid for each in found.users] == [user.uid]


def test_an_id_that_is_taken_is_refused(onward):
    user = auth.create_user()
    with pytest.raises(auth.UidAlreadyExistsError):
        auth.create_user(uid=user.uid)


def test_an_address_that_is_taken_is_refused(onward):
    email = fresh.email()
    auth.create_user(email=email)
    with pytest.raises(auth.EmailAlreadyExistsError):
        auth.create_user(email=email.upper())
    other = auth.create_user()
    with pytest.raises(auth.EmailAlreadyExistsError):
        auth.update_user(other.uid, email=email)


def test_a_number_that_is_taken_is_refused(onward):
    phone = fresh.phone()
    auth.create_user(phone_number=phone)
    with pytest.raises(auth.PhoneNumberAlreadyExistsError):
        auth.create_user(phone_number=phone)
    other = auth.create_user()
    with pytest.raises(auth.PhoneNumberAlreadyExistsError):
        auth.update_user(other.uid, phone_number=phone)


@pytest.mark.parametrize("number", ["+abc", "+1", "+155500000000000000"])
def test_a_number_that_is_none_is_refused(onward, number):
    with pytest.raises(exceptions.FirebaseError, match="INVALID_PHONE_NUMBER"):
        auth.create_user(phone_number=number)
