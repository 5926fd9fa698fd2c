"""Links for e-mails, made by a back-end, applied by an app."""

from urllib.parse import parse_qs, urlsplit

import pytest
from firebase_admin import auth, exceptions

import fresh

GOAL = "https://localhost/done?x=1&y=%C3%A9#there"


def settings(onward, **more):
    """Everything that can be said."""
    return auth.ActionCodeSettings(**{
        "url": GOAL, "handle_code_in_app": True, "ios_bundle_id": "com.example.app", "android_package_name": "com.example.app",
        "android_install_app": True, "android_minimum_version": "12", "link_domain": urlsplit(onward.link_origin).netloc} | more)


def parameters(link):
    """Of the action link itself, however it is wrapped for an app."""
    query = {name: values[0] for name, values in parse_qs(urlsplit(link).query, strict_parsing=True).items()}
    return parameters(query["link"]) if "link" in query else query


MAKERS = {
    "resetPassword": auth.generate_password_reset_link,
    "verifyEmail": auth.generate_email_verification_link,
    "signIn": auth.generate_sign_in_with_email_link,
}


@pytest.fixture
def user(onward):
    """Without a password, which takes a while to be hashed."""
    return auth.create_user(email=fresh.email())


def test_a_password_is_reset_by_its_link(app, user):
    read = parameters(auth.generate_password_reset_link(user.email))
    assert read["mode"] == "resetPassword"
    seen = app.get("resetPassword", oobCode=read["oobCode"])
    assert (seen["requestType"], seen["email"]) == ("PASSWORD_RESET", user.email)
    app.get("resetPassword", oobCode=read["oobCode"], newPassword="another horse 8")
    assert app.sign_in(user.email, "another horse 8")["localId"] == user.uid
    assert auth.get_user(user.uid).email_verified
    assert app.refusal("resetPassword", oobCode=read["oobCode"], newPassword="third horse 9") == "INVALID_OOB_CODE"


def test_an_address_is_verified_by_its_link(app, user):
    read = parameters(auth.generate_email_verification_link(user.email))
    assert read["mode"] == "verifyEmail"
    seen = app.get("resetPassword", oobCode=read["oobCode"])
    assert (seen["requestType"], seen["email"]) == ("VERIFY_EMAIL", user.email)
    assert not auth.get_user(user.uid).email_verified
    app.get("update", oobCode=read["oobCode"])
    assert auth.get_user(user.uid).email_verified
    assert app.refusal("update", oobCode=read["oobCode"]) == "INVALID_OOB_CODE"


def test_somebody_known_signs_in_by_a_link(app, user):
    read = parameters(auth.generate_sign_in_with_email_link(user.email, settings(app.onward)))
    assert read["mode"] == "signIn"
    session = app.get("signInWithEmailLink", email=user.email, oobCode=read["oobCode"])
    assert (session["localId"], session["isNewUser"]) == (user.uid, False)
    assert auth.verify_id_token(session["idToken"])["email_verified"]
    assert app.refusal("signInWithEmailLink", email=user.email, oobCode=read["oobCode"]) == "INVALID_OOB_CODE"


def test_somebody_new_signs_in_by_a_link(app):
    email = fresh.email()
    read = parameters(auth.generate_sign_in_with_email_link(email, settings(app.onward)))
    session = app.get("signInWithEmailLink", email=email, oobCode=read["oobCode"])
    assert session["isNewUser"]
    assert auth.get_user_by_email(email).uid == session["localId"]


def test_a_sign_in_link_is_nobody_elses(app, user):
    read = parameters(auth.generate_sign_in_with_email_link(user.email, settings(app.onward)))
    assert app.refusal("signInWithEmailLink", email=fresh.email(), oobCode=read["oobCode"]) == "INVALID_EMAIL"
    app.get("signInWithEmailLink", email=user.email, oobCode=read["oobCode"])


@pytest.mark.parametrize("mode", MAKERS)
def test_a_link_for_the_web_leads_to_onwards_page_and_on(onward, user, mode):
    link = MAKERS[mode](user.email, auth.ActionCodeSettings(url=GOAL))
    assert link.startswith(onward.origin + "/__/auth/action?")
    read = parameters(link)
    assert (read["mode"], read["continueUrl"], read["apiKey"]) == (mode, GOAL, onward.api_key)
    assert read["oobCode"] and read["lang"]
    # Apple's parser lets the last of two equal keys win, after decoding: what the caller wrote must not stand behind ours.
    assert list(read)[0] == "continueUrl"


@pytest.mark.parametrize("mode", MAKERS)
def test_a_link_for_the_app_leads_to_the_link_domain(onward, user, mode):
    link = MAKERS[mode](user.email, settings(onward))
    assert link.startswith(onward.link_origin + "/")
    read = parameters(link)
    assert (read["mode"], read["continueUrl"]) == (mode, GOAL)


@pytest.mark.parametrize("mode", MAKERS)
def test_without_a_link_domain_the_projects_first_is_taken(onward, user, mode):
    assert MAKERS[mode](user.email, settings(onward, link_domain=None)).startswith(onward.link_origin + "/")


@pytest.mark.parametrize("mode", MAKERS)
def test_a_link_domain_of_somebody_else_is_refused(onward, user, mode):
    with pytest.raises(auth.InvalidHostingLinkDomainError):
        MAKERS[mode](user.email, settings(onward, link_domain="links.evil.example"))


@pytest.mark.parametrize("mode", MAKERS)
def test_a_dynamic_link_domain_of_somebody_else_is_refused(onward, user, mode):
    with pytest.raises(auth.InvalidDynamicLinkDomainError):
        MAKERS[mode](user.email, settings(onward, link_domain=None, dynamic_link_domain="evil.page.link"))


@pytest.mark.parametrize("url", ["https://evil.test/", "https://localhost.evil.test/", "https://user@localhost@evil.test/"])
@pytest.mark.parametrize("mode", MAKERS)
def test_a_place_that_is_not_allowed_is_refused(onward, user, mode, url):
    with pytest.raises(exceptions.InvalidArgumentError, match="UNAUTHORIZED_DOMAIN|INVALID_CONTINUE_URI"):
        MAKERS[mode](user.email, auth.ActionCodeSettings(url=url))


def test_an_unknown_address_cannot_reset_a_password(onward):
    """A back-end may know who has an account: it is told, also where apps are not."""
    with pytest.raises(auth.EmailNotFoundError):
        auth.generate_password_reset_link(fresh.email())


def test_an_unknown_address_cannot_be_verified(onward):
    with pytest.raises(auth.UserNotFoundError):
        auth.generate_email_verification_link(fresh.email())


def test_an_address_is_changed_by_a_link(app, user):
    """Node's admin SDK can ask for it, Python's cannot yet."""
    new = fresh.email()
    made = app.admin("/accounts:sendOobCode", requestType="VERIFY_AND_CHANGE_EMAIL", email=user.email, newEmail=new, returnOobLink=True)
    assert made.status_code == 200, made.text
    read = parameters(made.json()["oobLink"])
    seen = app.get("resetPassword", oobCode=read["oobCode"])
    assert (seen["requestType"], seen["email"], seen["newEmail"]) == ("VERIFY_AND_CHANGE_EMAIL", user.email, new)
    app.get("update", oobCode=read["oobCode"])
    changed = auth.get_user(user.uid)
    assert (changed.email, changed.email_verified) == (new, True)


def test_an_app_gets_no_link_in_the_answer(app, user):
    assert app.refusal("sendOobCode", requestType="PASSWORD_RESET", email=user.email, returnOobLink=True) == "INSUFFICIENT_PERMISSION"
