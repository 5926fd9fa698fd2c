"""Clients of three nodes that share accounts, while nodes and databases fail. What they asked and were told is a history for each account
and its links, and a checker decides whether it is linearizable (linearizability.py). An answer that was lost stays unknown."""

import http.client
import json
import math
import os
import random
import signal
import threading
import time
import urllib.parse

from cluster import Cluster
from linearizability import NEW, Call, account, check_the_checker, explain
from onward import eventually, expect, needs

# A node that does not answer is asked no longer, so that its outcome stays unknown.
TIME_LIMIT = 8


class Denied(Exception):
    """A call of which Onward said that nothing was changed."""


class Account:
    """What was asked of one account."""

    def __init__(self, front):
        self.front, self.calls, self.codes, self.lock, self.names, self.denied = front, [], [], threading.Lock(), 0, 0
        email = f"h{os.urandom(6).hex()}@example.com"
        created = front.api("signUp", {"email": email, "targetProjectId": "shop"}, admin=True, timeout=TIME_LIMIT)
        expect(created.status == 200, f"an account: {created.status} {created.text}")
        self.email, self.id = email, json.loads(created.text)["localId"]

    def record(self, what, ask):
        """Asks, and records what was told. `ask` returns the answer, or None if it tells nothing."""
        begun, answer = time.monotonic(), None
        try:
            answer = ask()
        except Denied:
            self.denied += 1
            return None
        except Exception as error:
            expect(isinstance(error, OSError) or "http.client" in type(error).__module__, f"{type(error).__name__}: {error}")
        with self.lock:
            self.calls.append(Call(begun, math.inf if answer is None else time.monotonic(), what, answer))
        return answer

    def api(self, method, body):
        """The answer to an admin; None if the outcome is unknown."""
        answer = self.front.api(method, body, admin=True, timeout=TIME_LIMIT)
        if answer.status >= 500 or answer.status == 429:
            if self.is_denied(answer):
                raise Denied
            return None
        expect(answer.status == 200, f"{method}: {answer.status} {answer.text}")
        return answer

    @staticmethod
    def is_denied(answer):
        """Whether Onward, and not the proxy, says that nothing was changed: a call without a trace, or the history has no order."""
        return "Nothing was changed" in answer.text

    def send(self):
        """The code is known only from the answer, so one that was lost is of no use to anybody."""
        request = {"requestType": "VERIFY_EMAIL", "email": self.email, "returnOobLink": True, "targetProjectId": "shop"}
        begun = time.monotonic()
        try:
            answer = self.api("sendOobCode", request)
        except Denied:
            self.denied += 1
            return
        except (OSError, http.client.HTTPException):
            return
        if answer is None:
            return
        code = urllib.parse.parse_qs(urllib.parse.urlsplit(json.loads(answer.text)["oobLink"]).query)["oobCode"][0]
        with self.lock:
            self.calls.append(Call(begun, time.monotonic(), ("send", code), "ok"))
            self.codes.append(code)

    def apply(self):
        with self.lock:
            if not self.codes:
                return
            code = random.choice(self.codes[-3:])

        def ask():
            answer = self.front.api("update", {"oobCode": code}, timeout=TIME_LIMIT)
            if answer.status == 200:
                return "ok"
            if self.is_denied(answer):
                raise Denied
            # Anything else that is no refusal of this link is no answer.
            return "refused" if answer.status == 400 and "INVALID_OOB_CODE" in answer.text else None
        self.record(("apply", code), ask)

    def read(self):
        def ask():
            answer = self.api("lookup", {"localId": [self.id], "targetProjectId": "shop"})
            if answer is None:
                return None
            user = json.loads(answer.text)["users"][0]
            return (user.get("displayName", ""), user.get("emailVerified", False))
        self.record(("read",), ask)

    def name(self):
        with self.lock:
            self.names += 1
            name = f"n{self.names}"
        self.record(("name", name), lambda: "ok" if self.api("update", {"localId": self.id, "displayName": name, "targetProjectId": "shop"}) else None)


class Players:
    """Clients that ask of the same accounts until the end of the `with`. An account is left after some thirty calls, so that it can be judged."""

    def __init__(self, cluster, clients=6, tables=2):
        self.front, self.is_over, self.failures, self.accounts = cluster.front, False, [], []
        self.tables, self.lock = [None] * tables, threading.Lock()
        self.threads = [threading.Thread(target=self.run, args=(number % tables,)) for number in range(clients)]

    def account(self, table):
        with self.lock:
            current = self.tables[table]
            if current is None or len(current.calls) > 30:
                current = self.tables[table] = Account(self.front)
                self.accounts.append(current)
            return current

    def run(self, table):
        while not self.is_over:
            try:
                current = self.account(table)
            except Exception:
                time.sleep(0.1)
                continue
            try:
                random.choice([current.send, current.apply, current.apply, current.apply, current.read, current.read, current.name])()
            except Exception as error:
                self.failures.append(error)
                return

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.is_over = True
        for thread in self.threads:
            thread.join()

    def recover(self):
        """Waits until links that were asked for from now on are applied."""
        now = time.monotonic()

        def is_applied():
            calls = [call for played in list(self.accounts) for call in list(played.calls)]
            return any(call.what[0] == "apply" and call.answer == "ok" and call.begun > now for call in calls)
        eventually(is_applied, "links are applied again", 60)
        time.sleep(3)

    def judge(self):
        if self.failures:
            raise self.failures[0]
        for played in self.accounts:
            if explain(played.calls, NEW, account) is None:
                first = min(call.begun for call in played.calls)
                lines = [f"{call.begun - first:.3f} to {call.ended - first:.3f}: {call.what} {call.answer}" for call in sorted(played.calls, key=lambda call: call.begun)]
                expect(False, "a history that no order explains:\n  " + "\n  ".join(lines))
        calls = [call for played in self.accounts for call in played.calls]
        unknown = sum(call.answer is None for call in calls)
        done = sum(call.what[0] == "apply" and call.answer == "ok" for call in calls)
        expect(done > 10, f"{done} links were applied")
        denied = sum(played.denied for played in self.accounts)
        return (f"{len(self.accounts)} accounts, {len(calls)} calls, {done} links applied, {unknown} answers unknown, {denied} denied: "
                "every history has an order")


def failing(cluster):
    """A node is killed, one is paused, one is cut off, all are replaced, and the primary is paused and killed."""
    time.sleep(2)
    os.kill(cluster.nodes[0].process.pid, signal.SIGKILL)
    time.sleep(1)
    cluster.restart(cluster.nodes[0])
    cluster.nodes[1].process.send_signal(signal.SIGSTOP)
    time.sleep(4)
    cluster.nodes[1].process.send_signal(signal.SIGCONT)
    if cluster.wire:
        cluster.wire.send_signal(signal.SIGSTOP)
        time.sleep(7)
        cluster.wire.send_signal(signal.SIGCONT)
        time.sleep(2)
    for node in cluster.nodes:
        cluster.upgrade(node)
    cluster.primary.signal(signal.SIGSTOP)
    time.sleep(3)
    cluster.primary.signal(signal.SIGCONT)
    time.sleep(1)
    cluster.primary.kill()
    time.sleep(1)


def histories():
    """Histories of accounts on three nodes have an order, whatever fails. The stand-by succeeds the primary."""
    needs("haproxy", "psql", "pgrep")
    checked = check_the_checker()
    with Cluster(wired=True) as cluster:
        with Players(cluster) as players:
            failing(cluster)
            cluster.standby.promote()
            cluster.standby.ask("ALTER SYSTEM SET synchronous_standby_names = ''")
            cluster.standby.ask("SELECT pg_reload_conf()")
            players.recover()
        return f"{players.judge()}; the checker: {checked}"


def pooled():
    """The same through PgBouncer. The primary is started again."""
    needs("haproxy", "psql", "pgrep", "pgbouncer")
    with Cluster(pooled=True) as cluster:
        with Players(cluster) as players:
            failing(cluster)
            cluster.primary.start()
            # PgBouncer waits for fifteen seconds before it connects again.
            players.recover()
        return players.judge()


CHECKS = [histories, pooled]
