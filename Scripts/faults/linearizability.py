"""Decides whether a history of calls and answers is linearizable: whether each call can have had its effect at one moment between the
call and its answer, so that every answer is right. A call without an answer may have its effect at any later moment, or never.

Source: Wing and Gong, 1993, with the memory of visited states of Lowe, 2017."""

import dataclasses
import math


@dataclasses.dataclass(frozen=True)
class Call:
    begun: float
    # Infinite if the answer is not known.
    ended: float
    what: tuple
    # None if it is not known.
    answer: object = None


def explain(calls, state, step):
    """An order of the calls in which every answer is right, or None. `step(state, what)` returns the right answer and the next state."""
    calls = sorted(calls, key=lambda call: call.begun)
    required = sum(1 << number for number, call in enumerate(calls) if call.ended < math.inf)
    visited, path = set(), []

    def search(done, state):
        if done & required == required:
            return True
        if (done, state) in visited:
            return False
        visited.add((done, state))
        left = [number for number in range(len(calls)) if not done >> number & 1]
        # The next effect is of a call that began before any that is left ended.
        limit = min(calls[number].ended for number in left)
        for number in left:
            call = calls[number]
            if call.begun > limit:
                break
            answer, following = step(state, call.what)
            if call.ended == math.inf or answer == call.answer:
                path.append(call)
                if search(done | 1 << number, following):
                    return True
                path.pop()
        return False

    return list(path) if search(0, state) else None


def account(state, what):
    """An account and its links, step by step. The state: the name, whether the address is verified, and the codes that are live."""
    name, is_verified, live = state
    match what:
        case ("read",):
            return (name, is_verified), state
        case ("name", new):
            return "ok", (new, is_verified, live)
        case ("send", code):
            return "ok", (name, is_verified, live | {code})
        case ("apply", code) if code in live:
            # The use of one link withdraws the others that were mailed for the same.
            return "ok", (name, True, frozenset())
        case ("apply", _):
            return "refused", state


NEW = ("", False, frozenset())


def check_the_checker():
    """Known good and bad histories; the bad ones are the faults that it is for."""
    def call(begun, ended, what, answer=None):
        return Call(begun, math.inf if ended is None else ended, what, answer)

    sent = call(0, 1, ("send", "c"), "ok")
    both = call(0, 1, ("send", "d"), "ok")
    good = {
        "two presses, one is refused": [sent, call(2, 5, ("apply", "c"), "ok"), call(3, 4, ("apply", "c"), "refused")],
        "a lost answer that was applied": [sent, call(2, None, ("apply", "c")), call(4, 5, ("apply", "c"), "refused"), call(6, 7, ("read",), ("", True))],
        "a lost answer that was not": [sent, call(2, None, ("apply", "c")), call(4, 5, ("read",), ("", False)), call(6, 7, ("apply", "c"), "ok")],
        "a lost answer that is applied later": [
            sent, call(2, None, ("apply", "c")), call(3, 4, ("read",), ("", False)), call(5, 6, ("read",), ("", True))],
        "reads around a write": [call(0, 9, ("name", "a"), "ok"), call(1, 2, ("read",), ("", False)), call(3, 4, ("read",), ("a", False))],
        "the other link is withdrawn": [sent, both, call(2, 3, ("apply", "c"), "ok"), call(4, 5, ("apply", "d"), "refused")],
    }
    bad = {
        "applied twice": [sent, call(2, 5, ("apply", "c"), "ok"), call(3, 6, ("apply", "c"), "ok")],
        "applied and lost": [sent, call(2, 3, ("apply", "c"), "ok"), call(4, 5, ("read",), ("", False))],
        "refused and live": [sent, call(2, 3, ("apply", "c"), "refused"), call(4, 5, ("apply", "c"), "ok")],
        "refused and applied": [sent, call(2, 3, ("apply", "c"), "refused"), call(4, 5, ("read",), ("", True))],
        "sent and lost": [sent, call(2, 3, ("apply", "c"), "refused")],
        "both links": [sent, both, call(2, 3, ("apply", "c"), "ok"), call(4, 5, ("apply", "d"), "ok")],
        "an old read": [call(0, 1, ("name", "a"), "ok"), call(2, 3, ("read",), ("", False))],
        "a write that comes back": [
            call(0, 1, ("name", "a"), "ok"), call(2, 3, ("name", "b"), "ok"), call(4, 5, ("read",), ("b", False)), call(6, 7, ("read",), ("a", False))],
        "applied and not": [sent, call(2, None, ("apply", "c")), call(3, 4, ("read",), ("", True)), call(5, 6, ("read",), ("", False))],
    }
    wrong = [name for name, calls in good.items() if explain(calls, NEW, account) is None]
    wrong += [name for name, calls in bad.items() if explain(calls, NEW, account) is not None]
    if wrong:
        raise AssertionError(f"judged wrongly: {', '.join(wrong)}")
    return f"{len(good)} good and {len(bad)} bad histories are told apart"


if __name__ == "__main__":
    print(check_the_checker())
