import firebase_admin
import pytest

import onward as onwards
from app import App


@pytest.fixture(scope="session", params=["dev", "serve"])
def onward(request, tmp_path_factory):
    """A running Onward that `firebase_admin.auth` uses like Firebase's emulator."""
    start = {"dev": onwards.dev, "serve": onwards.serve}[request.param]
    with start(tmp_path_factory.mktemp(request.param)) as running:
        yield running


@pytest.fixture(autouse=True)
def admin(onward, monkeypatch):
    """Configures the admin SDK for the server as its users do: by an environment variable and a project id."""
    monkeypatch.setenv("FIREBASE_AUTH_EMULATOR_HOST", onward.admin_host)
    admin = firebase_admin.initialize_app(options={"projectId": onward.project})
    yield admin
    firebase_admin.delete_app(admin)


@pytest.fixture
def app(onward):
    return App(onward)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item):
    result = yield
    onward = item.funcargs.get("onward")
    item.log_before = len(onward.log) if onward else 0
    return result


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item):
    """Adds the server's log to the report of a failed test."""
    report = yield
    onward = getattr(item, "funcargs", {}).get("onward")
    if report.failed and onward:
        report.sections.append((f"Log of onward {onward.kind}", onward.log[getattr(item, "log_before", 0):]))
    return report
