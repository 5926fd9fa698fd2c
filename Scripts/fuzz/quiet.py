"""Runs a fuzz target until it has found no new edge for ten minutes, at most an hour: quiet.py <command>...

Exits with the target's status if it ends by itself, which it does when it finds a fault."""
import re
import subprocess
import sys
import threading
import time

QUIET, LONGEST = 600, 3600

target = subprocess.Popen(sys.argv[1:], stderr=subprocess.PIPE, text=True, errors="replace")
started = last = time.monotonic()
edges, is_over = 0, False


def watch():
    global is_over
    while target.poll() is None:
        now = time.monotonic()
        if now - last > QUIET or now - started > LONGEST:
            is_over = True
            target.terminate()
        time.sleep(1)


threading.Thread(target=watch, daemon=True).start()
for line in target.stderr:
    found = re.search(r"\bcov: (\d+)", line)
    if not found:
        print(line, end="", file=sys.stderr)
    elif int(found[1]) > edges:
        edges, last = int(found[1]), time.monotonic()
status = target.wait()
print(f"{edges} edges after {time.monotonic() - started:.0f} s, the last new one after {last - started:.0f} s")
sys.exit(0 if is_over else status if status >= 0 else 128 - status)
