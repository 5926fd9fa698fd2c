"""Three nodes under a load of sends and applies, while something fails (G1-G9). After each: every code whose apply was answered with success
is applied once, none twice, every mail that was asked for is in the sink, and nobody had to wait long."""

import json
import os
import re
import signal
import subprocess
import threading
import time
import urllib.parse

import store
from cluster import Cluster
from onward import PATIENCE, eventually, expect, needs



class Client:
    """One person after another: an account, a link, two presses at the same time, and a mail."""

    def __init__(self, cluster, load):
        self.front, self.load = cluster.front, load

    def go(self):
        while not self.load.isOver:
            try:
                self.once()
            except OSError as error:
                self.load.note("lost", str(error))

    def patiently(self, ask):
        """Asks again while the answer is 5xx, as the page tells people to, and notes how long that took."""
        start = time.monotonic()
        while True:
            try:
                answer = ask()
                if answer.status < 500:
                    self.load.waits.append(time.monotonic() - start)
                    return answer
                self.load.note("5xx", answer.status)
            except OSError as error:
                self.load.note("broken", type(error).__name__)
            except Exception as error:
                self.load.note("broken", type(error).__name__)
            if time.monotonic() - start > PATIENCE:
                self.load.note("given up", "")
                return None
            time.sleep(0.1)

    def once(self):
        email = f"p{os.urandom(6).hex()}@example.com"
        created = self.patiently(lambda: self.front.api("signUp", {"email": email, "targetProjectId": "shop"}, admin=True))
        if not created:
            return
        # The first answer may have been lost: then the address is taken, by us.
        expect(created.status == 200 or "EMAIL_EXISTS" in created.text, f"an account: {created.status} {created.text}")
        request = {"requestType": "VERIFY_EMAIL", "email": email, "returnOobLink": True, "continueUrl": "https://example.com/"}
        sent = self.patiently(lambda: self.front.api("sendOobCode", request, admin=True))
        if not sent:
            return
        expect(sent.status == 200, f"a link: {sent.status} {sent.text}")
        link = urllib.parse.urlsplit(json.loads(sent.text)["oobLink"])
        code = urllib.parse.parse_qs(link.query)["oobCode"][0]
        page = self.patiently(lambda: self.front.get(f"{link.path}?{link.query}"))
        if not page:
            return
        expect(page.status == 200, f"a page: {page.status}")
        results = []

        def press():
            answer = self.patiently(lambda: self.front.press(page.text))
            if answer:
                results.append(answer.status)

        other = threading.Thread(target=press)
        other.start()
        press()
        other.join()
        self.load.presses.append((email, code, results))
        mailed = f"m{os.urandom(6).hex()}@example.com"
        if self.patiently(lambda: self.front.api("signUp", {"email": mailed, "targetProjectId": "shop"}, admin=True)):
            asked = self.patiently(lambda: self.front.api("sendOobCode", {"requestType": "PASSWORD_RESET", "email": mailed}))
            if asked and asked.status == 200:
                self.load.mails.append(mailed)
            elif asked:
                self.load.note("no mail", asked.text[:80])


class Load:
    """Clients that go on until the end of the `with`."""

    def __init__(self, cluster, clients=6):
        self.cluster, self.isOver = cluster, False
        self.presses, self.mails, self.waits, self.notes, self.failures = [], [], [], {}, []
        self.lock = threading.Lock()
        self.threads = [threading.Thread(target=self.run) for _ in range(clients)]

    def run(self):
        try:
            Client(self.cluster, self).go()
        except Exception as error:
            self.failures.append(error)

    def note(self, kind, what):
        with self.lock:
            self.notes.setdefault(kind, {})
            self.notes[kind][what] = self.notes[kind].get(what, 0) + 1

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.isOver = True
        for thread in self.threads:
            thread.join()

    def judge(self, server):
        """Compares what clients were told with what the database and the sink have."""
        if self.failures:
            raise self.failures[0]
        applied = [results.count(303) for _, _, results in self.presses]
        expect(any(applied), f"some of {len(applied)} codes are applied")
        expect(max(applied) == 1, f"{sum(count > 1 for count in applied)} of {len(applied)} codes were applied twice")
        verified = set(server.ask("SELECT email FROM account WHERE email_verified = 1").split())
        told = {email for (email, _, results) in self.presses if 303 in results}
        expect(told <= verified, f"{len(told - verified)} of {len(told)} applies that were answered are lost")
        # A success whose answer was lost with a node is not told as one, but as a link that was used.
        silent = len({email for (email, _, _) in self.presses} & verified - told)
        missing = set(self.mails)
        eventually(lambda: not (missing := set(self.mails) - set(self.cluster.sink.recipients)), f"every mail arrives; {len(missing)} have not")
        replica = sum(self.cluster.replica_reads(node) for node in self.cluster.nodes)
        doubled = len(self.cluster.sink.recipients) - len(set(self.cluster.sink.recipients))
        longest = max(self.waits)
        expect("given up" not in self.notes and longest < PATIENCE, f"{self.notes}")
        return (f"{len(self.presses)} codes, {len(told)} told as applied, {silent} applied without an answer, 0 twice, 0 lost; "
                f"{len(self.mails)} mails, 0 missing, {doubled} twice; longest wait {longest:.1f} s; {replica} pages by the stand-by; {self.notes or 'no error'}")


def under(fault, seconds=6, **options):
    needs("haproxy", "psql", "pgrep")
    with Cluster(**options) as found:
        with Load(found) as load:
            time.sleep(seconds)
            server = fault(found) or found.primary
            time.sleep(seconds)
        return load.judge(server)


def calm():
    """Three nodes and no fault. The stand-by answers pages."""
    def look(found):
        eventually(lambda: all(found.replica_reads(node) > 0 for node in found.nodes), "the stand-by answers pages of every node")
    return under(look)


def node():
    """A node is killed three times, and started again."""
    def fault(found):
        for victim in found.nodes:
            os.kill(victim.process.pid, signal.SIGKILL)
            time.sleep(1)
            found.restart(victim)
            time.sleep(1)
    return under(fault)


def failover():
    """The primary is killed, and the stand-by promoted."""
    def fault(found):
        # The stand-by must not wait for a stand-by of its own.
        found.primary.kill()
        time.sleep(2)
        found.standby.promote()
        found.standby.ask("ALTER SYSTEM SET synchronous_standby_names = ''")
        found.standby.ask("SELECT pg_reload_conf()")
        return found.standby
    return under(fault)


def crash():
    """The primary is killed, and started again."""
    def fault(found):
        found.primary.kill()
        time.sleep(1)
        found.primary.start()
    return under(fault)


def stall():
    """The primary answers nothing for ten seconds, as behind a cut network."""
    def fault(found):
        found.primary.signal(signal.SIGSTOP)
        time.sleep(10)
        found.primary.signal(signal.SIGCONT)
    return under(fault)


def standby():
    """The synchronous stand-by answers nothing for five seconds, so no commit ends."""
    def fault(found):
        found.standby.signal(signal.SIGSTOP)
        time.sleep(5)
        found.standby.signal(signal.SIGCONT)
    return under(fault)


def long():
    """A transaction of another program holds every account for three seconds, and one sees an old snapshot all the while."""
    def fault(found):
        url = f"postgresql://postgres@127.0.0.1:{found.primary.port}/onward"
        old = subprocess.Popen(["psql", "-X", url, "-c", "BEGIN ISOLATION LEVEL SERIALIZABLE; SELECT count(*) FROM account; SELECT pg_sleep(8)"],
                               stdout=subprocess.DEVNULL)
        holder = subprocess.Popen(["psql", "-X", url, "-c", "BEGIN; SELECT 1 FROM account FOR UPDATE; SELECT pg_sleep(3)"], stdout=subprocess.DEVNULL)
        holder.wait(60)
        old.wait(60)
    return under(fault)


def full():
    """The disk of the primary and the stand-by is full for some seconds. PostgreSQL ends if it cannot write its log, and is started again."""
    def fault(found):
        ballast = found.folder / "postgresql" / "ballast"
        store.fill(ballast)
        time.sleep(6)
        ballast.unlink()
        for server in (found.primary, found.standby):
            if not server.processes() or subprocess.run(["kill", "-0", str(server.processes()[0])], capture_output=True).returncode:
                (server.folder / "postmaster.pid").unlink(missing_ok=True)
                server.start()
    return under(fault, disk=400)


def upgrade():
    """Every node is replaced, one after another, as in an upgrade."""
    def fault(found):
        for node in found.nodes:
            node.process.terminate()
            expect(node.process.wait(60) == 0, "it ends well")
            found.restart(node)
    return under(fault)


CHECKS = [calm, node, failover, crash, stall, standby, long, full, upgrade]
