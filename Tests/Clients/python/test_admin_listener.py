"""The admin listener accepts `Bearer owner`, the only credential that admin SDKs send in emulator mode."""

import pytest
import requests
from firebase_admin import auth

from onward import PATIENCE

pytestmark = pytest.mark.parametrize("onward", ["serve"], indirect=True)


@pytest.mark.parametrize("bearer", ["owner", "Owner", "ya29.token"])
@pytest.mark.parametrize("path", ["v1/projects/demo-project/accounts:lookup", "v1/accounts:lookup", "v2/projects/demo-project/config"])
def test_the_public_listener_never_takes_it(onward, path, bearer):
    method = "GET" if path.startswith("v2") else "POST"
    answer = requests.request(
        method, f"{onward.origin}/identitytoolkit.googleapis.com/{path}", params={"key": onward.api_key}, json={"localId": ["x"]},
        headers={"Authorization": f"Bearer {bearer}"}, timeout=PATIENCE)
    assert (answer.status_code, answer.json()["error"]["status"]) == (401, "UNAUTHENTICATED")


def test_the_host_that_a_request_claims_opens_no_door(onward):
    """The Host field is irrelevant, even that of the admin listener: only the socket counts."""
    answer = requests.post(
        f"{onward.origin}/identitytoolkit.googleapis.com/v1/projects/demo-project/accounts:lookup", json={"localId": ["x"]},
        headers={"Authorization": "Bearer owner", "Host": onward.admin_host, "X-Forwarded-For": "127.0.0.1"}, timeout=PATIENCE)
    assert answer.status_code in {401, 421}


def test_on_the_admin_listener_whoever_says_nothing_is_nobody(onward):
    answer = requests.post(
        f"http://{onward.admin_host}/identitytoolkit.googleapis.com/v1/projects/demo-project/accounts:lookup",
        json={"localId": [auth.create_user().uid]}, timeout=PATIENCE)
    assert answer.status_code in {401, 403}, answer.text


@pytest.mark.parametrize("bearer", ["owner2", "x", ""])
def test_on_the_admin_listener_no_other_word_counts(onward, bearer):
    answer = requests.post(
        f"http://{onward.admin_host}/identitytoolkit.googleapis.com/v1/projects/demo-project/accounts:lookup",
        json={"localId": ["x"]}, headers={"Authorization": f"Bearer {bearer}"}, timeout=PATIENCE)
    assert answer.status_code == 401, answer.text


def test_no_page_in_a_browser_is_let_in(onward):
    """A request with an Origin comes from a web page in the browser of a user who can reach this listener, not from an admin SDK."""
    address = f"http://{onward.admin_host}/identitytoolkit.googleapis.com/v1/projects/demo-project/accounts:lookup"
    page = {"Origin": "https://evil.test"}
    leave = requests.options(address, headers=page | {
        "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization,content-type"}, timeout=PATIENCE)
    assert "Access-Control-Allow-Origin" not in leave.headers
    # There is no preflight if the page's own host name was rebound to this address.
    answer = requests.post(address, json={"localId": ["x"]}, headers=page | {"Authorization": "Bearer owner"}, timeout=PATIENCE)
    assert answer.status_code >= 400, answer.text
