"""A learner's queue beside the rules: what it answers to every operation of a run, whatever it does instead.

`history.run` runs a class as it is. Here it runs under `guard`, operation by operation, so that the answers given before
an endless loop or an exit are kept, and an exception in one operation does not end the run.
"""

from __future__ import annotations

import marshal
from collections.abc import Sequence
from typing import Any

from retryq import guard
from retryq.checking.runs import Trouble, answer_of, pack, revive
from retryq.checking.verdict import symptom
from retryq.checking.words import answer
from retryq.history import History
from retryq.scenario import Scenario, same

__all__ = ["NOT_ASKED", "answers", "words"]

SECONDS = 2.0  # for a whole run of at most 64 operations
STALL = 0.7  # in one operation
ROOM = 2**16  # bytes for the answers so far; 64 operations answer in a tenth of it
FATAL = ("ran too long", "exited", "crashed")  # after these, nothing more can be asked
NOT_ASKED = Trouble("not asked", "was not asked: an earlier operation was its last")


def answers(queue_class: Any, scenario: Scenario, before: Sequence = ()) -> tuple:
    """What the class answers to each operation, in the notation's form; an `Odd` answer, or a `Trouble` for none.

    ``before`` are the answers to a beginning of the same run, if there are any: an operation that never came back
    then is not waited for again.

    >>> from retryq import Queue
    >>> answers(Queue, Scenario(1, (("enqueue", "a", "A"), ("reserve",))))
    (True, ['a', 'A', 1])
    """
    stuck = next((index for index, each in enumerate(before) if _fatal(each)), None)
    if stuck is not None:
        return _padded(before[: stuck + 1], len(scenario.ops))
    progress = guard.Progress(ROOM)
    outcome = guard.call(lambda: _answers(queue_class, scenario, progress),
                         seconds=SECONDS, stall=STALL, progress=progress)
    given = outcome.value
    if not isinstance(given, list):  # it never came back: what had been answered until then
        given = marshal.loads(outcome.progress) if outcome.progress else []
    found = [revive(output) for output in given]
    if outcome.kind != "returned":
        kind = outcome.kind if outcome.kind in FATAL else "crashed"
        found = [*found[: len(scenario.ops) - 1], Trouble(kind, outcome.detail)]
    return _padded(found, len(scenario.ops))


def words(history: History, index: int, name: str) -> str:
    """How the class ``name`` stands to the rules at step ``index``; empty where it has answered as they do so far.

    At the first answer that differs: yours, the rules', and the clause at issue.
    """
    parts = history.parts_at
    if history.answers is None or parts is None or parts > index:
        return ""
    own, step = history.answers[index], history.steps[index]
    said = answer(own) if isinstance(own, Trouble) else f"answers {answer(own)}"
    if parts == index:
        right = f"the rules say {answer(step.result)} ({symptom(step, own)})"
        return f"Here {name} parts from the rules: it {said}; {right}."
    if same(step.result, own):
        said = "answers as the rules do"
    return f"{name} {said}. It parted from the rules at operation {parts + 1} already."


def _fatal(output: object) -> bool:
    return isinstance(output, Trouble) and output.kind in FATAL


def _padded(found: Sequence, length: int) -> tuple:
    return (*found, *[NOT_ASKED] * (length - len(found)))[:length]


def _answers(queue_class: Any, scenario: Scenario, progress: guard.Progress) -> list[Any]:
    """Under guard: every answer as plain data that can cross to another process."""
    queues = [_made(queue_class, scenario.capacity)]
    current = queues[0]
    given: list[Any] = []
    for name, *arguments in scenario.ops:
        output: Any = None
        if name == "new":
            queues.append(_made(queue_class, scenario.capacity))
        if name in ("new", "use"):
            current = queues[arguments[0] if arguments else -1]
        if isinstance(current, Trouble):
            output = current if name != "use" else None
        elif name not in ("new", "use"):
            try:
                output = answer_of(getattr(current, name)(*arguments))
            except Exception as error:
                output = Trouble("raised", f"{guard.describe(error)}", name)
        given.append(pack(output))
        progress.note(marshal.dumps(given))
    return given


def _made(queue_class: Any, capacity: int) -> Any:
    """A queue, or why there is none."""
    try:
        return queue_class(capacity)
    except Exception as error:
        return Trouble("not made", f"could not be made: it raised {guard.describe(error)}", "__init__")
