"""Prometheus's own Python library reads the metrics."""

import pytest
import requests
from prometheus_client.parser import text_string_to_metric_families

from onward import PATIENCE

COUNTED = {
    "onward_http_requests", "onward_http_request_duration_seconds", "onward_connections_accepted", "onward_connections_refused",
    "onward_connections_open", "onward_tls_handshakes", "onward_codes_issued", "onward_codes_applied", "onward_mails_waiting",
    "onward_mails_oldest_age_seconds", "onward_store_commit_duration_seconds", "onward_store_commit_transactions",
    "onward_store_commit_failures", "onward_store_writes_waiting", "onward_passwords_waiting", "onward_build_info",
    "onward_clock_offset_seconds",
    "process_resident_memory_bytes", "process_cpu_seconds", "process_open_fds", "process_max_fds", "process_start_time_seconds",
}


def metrics(onward):
    answer = requests.get(f"http://{onward.admin_host}/metrics", timeout=PATIENCE)
    assert answer.status_code == 200, answer.text
    assert answer.headers["Content-Type"].startswith("text/plain; version=0.0.4")
    return {family.name: family for family in text_string_to_metric_families(answer.text)}


def value(families, family, name, **labels):
    [sample] = [sample for sample in families[family].samples if sample.name == name and sample.labels == labels]
    return sample.value


def test_everything_is_there_from_the_start(onward):
    found = metrics(onward)
    assert COUNTED - found.keys() == set()
    for family in found.values():
        assert family.documentation and family.type in {"counter", "gauge", "histogram"}, family.name


def test_what_was_asked_is_counted(onward):
    before = metrics(onward)
    for _ in range(3):
        assert requests.get(f"{onward.origin}/healthz", timeout=PATIENCE).status_code == 200
    requests.get(f"{onward.origin}/no-such-page", timeout=PATIENCE)
    after = metrics(onward)

    def grown(name, **labels):
        family = name.removesuffix("_total").removesuffix("_count")
        return value(after, family, name, **labels) - value(before, family, name, **labels)

    assert grown("onward_http_requests_total", route="healthz", status="2xx") == 3
    assert grown("onward_http_requests_total", route="unknown", status="4xx") == 1
    assert grown("onward_http_request_duration_seconds_count", kind="health") == 4
    assert value(after, "onward_connections_open", "onward_connections_open") >= 1


@pytest.mark.parametrize("onward", ["serve"], indirect=True)
def test_the_public_address_tells_nobody(onward):
    for headers in [{}, {"Authorization": "Bearer owner"}, {"x-goog-api-key": onward.api_key}]:
        answer = requests.get(f"{onward.origin}/metrics", headers=headers, timeout=PATIENCE)
        assert answer.status_code == 401 and "onward_" not in answer.text
