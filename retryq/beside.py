"""A learner's queue beside the rules: what it answers to every operation of a run, whatever it does instead.

`history.run` runs a class as it is. Here it runs under `guard`, operation by operation, so that the answers given before
an endless loop or an exit are kept, and an exception in one operation does not end the run.
"""

from __future__ import annotations

import marshal
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from retryq import guard
from retryq.scenario import Scenario, notation

__all__ = ["NoAnswer", "answers", "said"]

SECONDS = 2.0  # for a whole run of at most 64 operations
STALL = 0.7  # in one operation
ROOM = 2**16  # bytes for the answers so far; 64 operations answer in a tenth of it
LONGEST = 200  # characters of a strange answer that are kept


@dataclass(frozen=True)
class NoAnswer:
    """In place of an answer: what happened instead, in words that complete "your queue ..."."""

    words: str
    final: bool = False  # whether the queue never came back from this operation

    def __repr__(self) -> str:
        return self.words


def said(answer: object) -> str:
    """An answer in words that complete "your queue ...".

    >>> said(True), said(["a", "A", 1]), said(NoAnswer("raised KeyError: 'a'"))
    ('answers True', "answers ('a', 'A', 1)", "raised KeyError: 'a'")
    """
    if isinstance(answer, NoAnswer):
        return answer.words
    return f"answers {tuple(answer) if isinstance(answer, list) else answer!r}"


def answers(queue_class: Any, scenario: Scenario, before: Sequence = ()) -> tuple:
    """What the class answers to each operation, in the notation's form, or a `NoAnswer` where it gave none.

    ``before`` are the answers to a beginning of the same run, if there are any: an operation that never came back
    then is not waited for again.

    >>> from retryq import Queue
    >>> answers(Queue, Scenario(1, (("enqueue", "a", "A"), ("reserve",))))
    (True, ['a', 'A', 1])
    """
    stuck = next((index for index, each in enumerate(before) if isinstance(each, NoAnswer) and each.final), None)
    if stuck is not None:
        return _padded(before[: stuck + 1], len(scenario.ops))
    progress = guard.Progress(ROOM)
    outcome = guard.call(lambda: _answers(queue_class, scenario, progress),
                         seconds=SECONDS, stall=STALL, progress=progress)
    whole = outcome.kind == "returned" and isinstance(outcome.value, list)
    given = outcome.value if whole else marshal.loads(outcome.progress) if outcome.progress else []
    found = [NoAnswer(value) if strange else value for strange, value in given]
    if not whole:
        found = [*found[: len(scenario.ops) - 1], NoAnswer(outcome.detail, final=True)]
    return _padded(found, len(scenario.ops))


def _padded(found: Sequence, length: int) -> tuple:
    rest = NoAnswer("was not asked: it has not come back from an earlier operation")
    return (*found, *[rest] * (length - len(found)))[:length]


def _answers(queue_class: Any, scenario: Scenario, progress: guard.Progress) -> list[tuple[bool, Any]]:
    """Under guard: the answers as plain data, each with whether it is words instead of an answer."""
    queues: list[Any] = []
    current: Any = None
    given: list[tuple[bool, Any]] = []

    def make() -> tuple[bool, Any]:
        nonlocal current
        current = None  # where making one fails, what follows has no queue
        queues.append(None)
        try:
            current = queues[-1] = queue_class(scenario.capacity)
        except Exception as error:
            return True, f"could not be made: it raised {guard.describe(error)}"
        return False, None

    failed, why = make()
    for name, *arguments in scenario.ops:
        answer: tuple[bool, Any] = (False, None)
        if name == "new":
            answer = make()
        elif name == "use":
            current = queues[arguments[0]]
        elif current is None:
            answer = (True, why if failed and not given else "was not asked: it could not be made")
        else:
            try:
                answer = _plain(notation(getattr(current, name)(*arguments)))
            except Exception as error:
                answer = (True, f"raised {guard.describe(error)}")
        given.append(answer)
        progress.note(marshal.dumps(given))
    return given


def _plain(answer: Any) -> tuple[bool, Any]:
    """An answer that can cross to another process as it is, or words about one that cannot."""
    parts = answer if type(answer) is list and len(answer) <= 3 else [answer]
    if all(type(part) in (bool, int, float, str, type(None)) and len(str(part)) <= LONGEST for part in parts):
        return False, answer
    text = re.sub(r" at 0x[0-9A-Fa-f]+", "", str(answer))  # an address is another one in every run
    return True, f"answers something of type {type(answer).__name__}: {text[:LONGEST]}"
