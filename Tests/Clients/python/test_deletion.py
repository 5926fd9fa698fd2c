"""Deleting accounts."""

import pytest
from firebase_admin import auth

import fresh


def test_a_deleted_account_is_gone_and_its_address_free(app):
    email = fresh.email()
    user = auth.create_user(email=email, password=app.onward.password)
    session = app.sign_in(email, app.onward.password)
    auth.delete_user(user.uid)
    with pytest.raises(auth.UserNotFoundError):
        auth.get_user(user.uid)
    assert app.refusal("lookup", idToken=session["idToken"]) == "USER_NOT_FOUND"
    assert auth.create_user(email=email).uid != user.uid


def test_nobody_cannot_be_deleted(onward):
    with pytest.raises(auth.UserNotFoundError):
        auth.delete_user(fresh.uid())


def test_many_are_deleted_at_once_and_who_was_not_there_is_no_failure(onward):
    """The behaviour is that of the SDK's documentation."""
    mine = [auth.create_user().uid for _ in range(3)]
    stays = auth.create_user().uid
    result = auth.delete_users([*mine, fresh.uid()])
    assert (result.success_count, result.failure_count) == (4, 0)
    found = auth.get_users([auth.UidIdentifier(uid) for uid in [*mine, stays]])
    assert [each.uid for each in found.users] == [stays]


def test_without_force_only_the_disabled_are_deleted(app):
    """The SDK does not send this request, but understands its response."""
    disabled, enabled = auth.create_user(disabled=True).uid, auth.create_user().uid
    answer = app.admin("/accounts:batchDelete", localIds=[disabled, enabled], force=False)
    assert answer.status_code == 200, answer.text
    [error] = answer.json()["errors"]
    assert (error["index"], error["localId"]) == (1, enabled)
    assert error["message"].startswith("NOT_DISABLED : ")
    assert [each.uid for each in auth.get_users([auth.UidIdentifier(disabled), auth.UidIdentifier(enabled)]).users] == [enabled]


@pytest.mark.parametrize("count", [0, 1001])
def test_none_or_more_than_a_thousand_are_refused(app, count):
    answer = app.admin("/accounts:batchDelete", localIds=[fresh.uid() for _ in range(count)], force=True)
    assert answer.status_code == 400
    assert answer.json()["error"]["message"].startswith("LOCAL_ID_LIST_EXCEEDS_LIMIT")
