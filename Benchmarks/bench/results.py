"""Turns the figures of all rounds into a table: medians, spreads, and whether each target was reached."""
import os
import platform
import re
import statistics
import textwrap
from datetime import datetime, timezone

from .machine import CORES, HERE, ROOT, output, sync_milliseconds
from .rows import AS_OFTEN, ROWS

RESULTS = HERE / "RESULTS.md"
BEGIN, END = "<!-- Benchmarks/run writes from here -->", "<!-- to here -->"
UNITS = {"rate": "/s", "per_cpu": "/CPU s", "p99": " ms", "ms": " ms", "s": " s", "idle": " MB", "mb": " MB"}
NAMES = {"per_cpu": "by CPU", "p99": "p99", "idle": "private, idle", "mb": "resident, under load"}


def spread(values, digits=2):
    return f"{statistics.median(values):,.{digits}f} ({min(values):,.{digits}f}–{max(values):,.{digits}f})"


def value(rounds, side, metric):
    median = statistics.median(figures[side][metric] for figures in rounds)
    return f"{median:,.{0 if metric in ('rate', 'per_cpu') else 1}f}{UNITS[metric]}"


def line(row, target, rounds):
    """Formats one target of a row. A ratio compares the sides of the same round only."""
    has_others = len(ROWS[row].targets) > 1 and target.metric in NAMES
    title = ROWS[row].title + (f", {NAMES[target.metric]}" if has_others else "")
    if not target.beside:
        values = [figures["Onward"][target.metric] for figures in rounds]
        verdict = "yes" if statistics.median(values) < target.limit else "**no**"
        sides = [side for side in rounds[0] if side == AS_OFTEN]
        beside = "".join(f"{side}: {value(rounds, side, target.metric)}" for side in sides)
        return f"| {title} | < {target.limit:g}{UNITS[target.metric]} | {spread(values, 1)}{UNITS[target.metric]} | {verdict} | | {beside} |"
    ratios = [figures["Onward"][target.metric] / figures[target.beside][target.metric] for figures in rounds]
    verdict = "yes" if statistics.median(ratios) >= target.limit else "**no**"
    both = [value(rounds, side, target.metric) for side in ("Onward", target.beside)]
    if target.metric == "rate" and "per_cpu" in rounds[0]["Onward"] and "per_cpu" in rounds[0][target.beside]:
        per_cpu = [figures["Onward"]["per_cpu"] / figures[target.beside]["per_cpu"] for figures in rounds]
        both[0] += f"; by CPU time {statistics.median(per_cpu):.2f} ×"
    return f"| {title} | ≥ {target.limit:g} × {target.beside} | {spread(ratios)} × | {verdict} | {both[0]} | {both[1]} |"


def table(rounds):
    """Formats the table. `rounds` holds the rounds of each row, each with the figures of every side."""
    lines = ["| what | to reach | reached: median (from–to) | | Onward | beside it |", "|---|---|---|---|---|---|"]
    lines += [line(row, target, rounds[row]) for row in rounds for target in ROWS[row].targets]
    if "apply" in rounds:
        lines += ["", f"Codes in one commit: {spread([figures['Onward']['group'] for figures in rounds['apply']], 1)}"]
        if "slow-sync" in rounds:
            lines[-1] += f"; where a sync takes 2 ms more: {spread([figures['Onward']['group'] for figures in rounds['slow-sync']], 1)}"
        lines[-1] += "."
    return "\n".join(lines)


def circumstances(rounds, seconds, loads, stolen):
    """Describes the run: date, commit, machine, load and versions."""
    processor = re.search(r"model name\s*: (.*)", open("/proc/cpuinfo").read())
    system = platform.freedesktop_os_release()["PRETTY_NAME"]
    swift = re.search(r"Swift version (\S+)", output("swift", "--version"))[1]
    nginx = output("sh", "-c", "nginx -v 2>&1").strip().removeprefix("nginx version: ")
    openssl, sqlite = output("openssl", "version").split()[1], output("dpkg-query", "-Wf", "${Version}", "libsqlite3-0")
    pins = HERE / "Peer/Package.resolved"
    peer = re.findall(r'"identity" : "(hummingbird|grdb.swift|swift-nio)".*?"version" : "([^"]+)"', pins.read_text(), re.S) if pins.exists() else []
    commit = output("git", "-C", ROOT, "describe", "--always", "--dirty").strip()
    commit += ", but the binary that ONWARD names" if "ONWARD" in os.environ else ""
    text = (
        f"{datetime.now(timezone.utc):%d %B %Y, %H:%M} UTC; commit {commit}; {rounds} round{'' if rounds == 1 else 's'} of {seconds:g} s, alternating. "
        f"{CORES} cores ({processor[1].strip() if processor else platform.machine()}), {system}, Linux {platform.release()}; "
        f"a sync takes {sync_milliseconds():.2f} ms; load before {loads[0]:.2f}, after {loads[1]:.2f}; "
        f"of the cores, the hypervisor took {statistics.median(stolen):.1%} ({min(stolen):.1%}–{max(stolen):.1%}). Swift {swift}, OpenSSL {openssl}, "
        f"SQLite {sqlite}, {nginx}" + "".join(f", {name} {version}" for name, version in peer) + ".")
    return textwrap.fill(text, 100, break_long_words=False, break_on_hyphens=False)


def write(text):
    """Replaces the text between the markers; the rest of the page is written by hand."""
    page = RESULTS.read_text()
    start, end = page.index(BEGIN) + len(BEGIN), page.index(END)
    RESULTS.write_text(f"{page[:start]}\n{text}\n{page[end:]}")
