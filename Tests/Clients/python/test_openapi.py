"""schemathesis reads the OpenAPI document and sends valid and invalid requests for each operation."""

import json
import pathlib
import subprocess
import sys

import pytest
import requests

import onward as onwards
from onward import PATIENCE

# The credential of the requests: an admin's in development, which reaches everything; an app's in production.
CALLERS = {"dev": "Authorization: Bearer owner", "serve": "x-goog-api-key: " + onwards.Onward.api_key}


@pytest.fixture(scope="module", params=["dev", "serve"])
def onward(request, tmp_path_factory):
    """A server of its own: these requests delete accounts and change settings."""
    start = {"dev": onwards.dev, "serve": onwards.serve}[request.param]
    with start(tmp_path_factory.mktemp("openapi")) as running:
        yield running


@pytest.fixture
def document(onward):
    answer = requests.get(onward.origin + "/openapi.json", timeout=PATIENCE)
    assert answer.status_code == 200, f"/openapi.json answers {answer.status_code}"
    return answer.json()


def test_the_document_is_openapi_3_1_and_names_what_sdks_call(document):
    assert document["openapi"].startswith("3.1.")
    paths = "\n".join(document["paths"])
    for called in [
        "accounts:signUp", "accounts:signInWithPassword", "accounts:signInWithEmailLink", "accounts:signInWithCustomToken",
        "accounts:sendOobCode", "accounts:resetPassword", "accounts:update", "accounts:lookup", "accounts:delete", "accounts:createAuthUri",
        "accounts:batchGet", "accounts:batchCreate", "accounts:batchDelete", ":createSessionCookie", "v1/token", "v2/passwordPolicy",
        "v2/recaptchaConfig", "/config", "v1/projects",
    ]:
        assert called in paths, f"{called} is not in the document"


def test_whatever_is_asked_the_answer_is_as_the_document_says(onward, document, tmp_path):
    """No response is a 500, and a 501 only if the document lists it."""
    (tmp_path / "openapi.json").write_text(json.dumps(document))
    (tmp_path / "schemathesis.toml").write_text(settings(document))
    tried = subprocess.run(
        [
            sys.executable, "-m", "schemathesis.cli", "--config-file", tmp_path / "schemathesis.toml", "run", tmp_path / "openapi.json",
            "--url", onward.origin, "--header", CALLERS[onward.kind], "--no-color",
        ],
        cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert tried.returncode == 0, tried.stdout[-20_000:] + tried.stderr[-2_000:]


def settings(document):
    """Settings of schemathesis: the checks and the number of requests, the same in every run."""
    names = {
        parameter["name"] for path in document["paths"].values() for place in [path, *path.values()] if isinstance(place, dict)
        for parameter in place.get("parameters", []) if parameter.get("in") == "path" and "project" in parameter["name"].lower()}
    # An existing project, so that not every response is about a missing one.
    projects = "\n".join(f'"path.{name}" = "{onwards.Onward.project}"' for name in sorted(names))
    # Without waiting for mails: a request may ask to wait for a minute.
    at_once = '"query.wait" = 0'
    return (pathlib.Path(__file__).parent / "schemathesis.toml").read_text() + f"\n[parameters]\n{projects}\n{at_once}\n"
