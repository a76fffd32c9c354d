"""The rules as data: every clause of the contract by name.

A clause has a title, the sentence that states it, the lesson that teaches it, the wider clause it nests in (if
any), and *witnesses*: short runs, with the right outputs, that a queue breaking the clause answers wrongly. The
witnesses are kept in ``data/witnesses.jsonl``, in the scenario notation.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from importlib.resources import files
from typing import Any, NamedTuple

__all__ = ["CLAUSES", "GENERALITY", "LESSONS", "Clause", "Witness", "expand", "fails", "most_general"]


class Witness(NamedTuple):
    """A short run that shows a clause: its operations and right outputs, as in the scenario notation."""

    name: str
    capacity: int
    ops: tuple[tuple, ...]
    expected: tuple


class Clause(NamedTuple):
    """One rule.

    ``lesson`` is the name of the notebook that teaches it, without its ending. ``inside`` is the wider clause of
    which this one is a special case, or ``None``. ``compares`` says which part of an answer the clause speaks
    about, so that a queue with one fault is not said to break every rule: ``"job"`` is true, false, missing, or
    *which* job; ``"attempt"`` adds the attempt, ``"payload"`` the payload, ``"everything"`` both; ``"room"`` is what
    `enqueue` answers and nothing else; ``"kind"`` asks only whether the answer is one of the kinds allowed at all;
    ``"queues"`` asks whether two queues that were told the same are right and wrong at the same places.
    """

    name: str
    title: str
    sentence: str
    lesson: str
    inside: str | None
    compares: str
    witnesses: tuple[Witness, ...]


LESSONS: tuple[str, ...] = (
    "01-first-in-first-out", "02-acknowledge", "03-capacity", "04-retry",
    "05-fencing", "06-cancel", "07-identity", "08-isolation",
)
_FIFO, _ACK, _CAPACITY, _RETRY, _FENCING, _CANCEL, _IDENTITY, _ISOLATION = LESSONS


def _read_witnesses() -> dict[str, tuple[Witness, ...]]:
    """The witnesses of each clause. In the file, a witness is named ``clause: what it shows``."""
    found: dict[str, tuple[Witness, ...]] = {}
    text = (files("retryq") / "data" / "witnesses.jsonl").read_text(encoding="utf-8")
    for line in text.splitlines():
        entry = json.loads(line)
        clause, _, shows = entry["name"].partition(": ")
        expected = tuple(tuple(output) if isinstance(output, list) else output for output in entry["expected"])
        witness = Witness(shows, entry["capacity"], tuple(map(tuple, entry["ops"])), expected)
        found[clause] = (*found.get(clause, ()), witness)
    return found


_WITNESSES = _read_witnesses()


def _clause(name: str, lesson: str, title: str, sentence: str, *,
            compares: str = "job", inside: str | None = None) -> Clause:
    return Clause(name, title, sentence, lesson, inside, compares, _WITNESSES[name])


CLAUSES: dict[str, Clause] = {clause.name: clause for clause in (
    _clause("fifo.tail", _FIFO, "Join the tail",
            "An accepted job joins the tail of the waiting line; `enqueue` answers true."),
    _clause("fifo.head", _FIFO, "Serve the head",
            "`reserve` takes the job that has waited longest and marks it in flight."),
    _clause("fifo.missing", _FIFO, "Nobody waits",
            "With no job waiting, `reserve` answers the explicit missing result, even while others are in flight."),
    _clause("attempt.first", _FIFO, "Begin at 1",
            "A job's first reservation carries attempt 1.", compares="attempt"),
    _clause("attempt.snapshot", _FIFO, "A snapshot that stays",
            "A reservation answers the job's id, its original payload (the empty string included) and its attempt; "
            "what was answered never changes afterwards.", compares="payload"),
    _clause("attempt.next", _RETRY, "One more each time",
            "Each later reservation of the same job, after a retry, carries one more. Every job has its own count.",
            compares="attempt"),
    _clause("capacity.room", _CAPACITY, "Room for one more",
            "A new id is accepted while a slot is free.", compares="room"),
    _clause("capacity.full", _CAPACITY, "Full",
            "A full queue rejects `enqueue` with false."),
    _clause("capacity.active", _CAPACITY, "Every active job counts",
            "Capacity counts every active job, waiting and in flight; reserving a job frees nothing.",
            compares="room", inside="capacity.full"),
    _clause("capacity.freed", _CAPACITY, "Finishing frees a slot",
            "Acknowledging or cancelling a job frees its one slot.", compares="room"),
    _clause("capacity.zero", _CAPACITY, "No slot at all",
            "A queue of capacity 0 rejects every `enqueue`.", inside="capacity.full"),
    _clause("ack.completes", _ACK, "Finish a job",
            "`ack` of an in-flight job with its current attempt answers true and finishes the job."),
    _clause("retry.tail", _RETRY, "Back to the tail",
            "`retry` of an in-flight job with its current attempt answers true and puts the job at the tail of the "
            "waiting line."),
    _clause("retry.slot", _RETRY, "Keep the slot",
            "A retried job keeps its capacity slot.", compares="room", inside="capacity.active"),
    _clause("fence.exact", _FENCING, "Exactly the current attempt",
            "`ack` and `retry` succeed only with the exact current attempt: a stale or a future one answers false."),
    _clause("fence.zero", _FENCING, "Never attempt 0",
            "Attempt 0 is never valid.", inside="fence.exact"),
    _clause("fence.in-flight", _ACK, "Only what is in flight",
            "`ack` and `retry` of a waiting, finished or unknown job answer false; so does repeating one that "
            "succeeded."),
    _clause("cancel.waiting", _CANCEL, "Withdraw a waiting job",
            "`cancel` of a waiting job answers true and removes it at once."),
    _clause("cancel.in-flight", _CANCEL, "Withdraw a job in flight",
            "`cancel` of an in-flight job answers true, removes it at once, and its reservation is worth nothing "
            "from then on."),
    _clause("cancel.order", _CANCEL, "The others keep their order",
            "The other waiting jobs keep their order.", inside="fifo.head"),
    _clause("cancel.finished", _CANCEL, "Nothing left to withdraw",
            "`cancel` of an unknown or already finished id answers false."),
    _clause("identity.duplicate", _IDENTITY, "One id, one job",
            "An id that was ever accepted is rejected with false; the first job, its payload included, is "
            "untouched.", compares="everything"),
    _clause("identity.forever", _IDENTITY, "Taken for good",
            "An acknowledged or cancelled id stays taken for the lifetime of its queue.",
            inside="identity.duplicate"),
    _clause("identity.rejected", _IDENTITY, "A refused id is still free",
            "A rejected `enqueue` does not take its id: it can be accepted later.",
            compares="everything", inside="refusal.unchanged"),
    _clause("identity.case", _IDENTITY, "a is not A",
            "Ids are case-sensitive: `a` and `A` are two jobs.", compares="everything"),
    _clause("refusal.unchanged", _FENCING, "A refusal changes nothing",
            "An operation that answers false, or a `reserve` that answers missing, has changed nothing.",
            compares="everything"),
    _clause("isolation.queues", _ISOLATION, "Queues share nothing",
            "Separate queues share no state.", compares="queues"),
    _clause("answer.kind", _ACK, "Answers of the right kind",
            "Mutations answer exactly true or false; `reserve` a job or the missing result. Nothing else, and with "
            "arguments of the right types nothing is raised.", compares="kind"),
)}

# Where a queue breaks several clauses, the one that explains most stands first here. A queue that never hands a
# job out fails nearly every witness, and `fifo.head` says why; one whose attempt stays at 1 also lets a stale
# attempt through, and `attempt.next` says why. A special case stands behind the clause it nests in, except where
# only the special case is wrong: then only that one is broken.
GENERALITY: tuple[str, ...] = (
    "answer.kind", "isolation.queues",
    "capacity.room", "fifo.head", "attempt.first", "fifo.tail", "retry.tail", "fifo.missing",
    "attempt.snapshot", "attempt.next", "ack.completes",
    "fence.exact", "fence.zero", "fence.in-flight",
    "cancel.waiting", "cancel.in-flight", "cancel.order",
    "capacity.full", "capacity.active", "capacity.freed", "capacity.zero", "retry.slot",
    "identity.case", "identity.duplicate", "identity.forever",
    "cancel.finished", "refusal.unchanged", "identity.rejected",
)


def most_general(names: Iterable[str]) -> str | None:
    """The clause that explains most among ``names``, by `GENERALITY`; ``None`` where there is none.

    >>> most_general({"fence.zero", "fence.exact"})
    'fence.exact'
    """
    return min(names, key=GENERALITY.index, default=None)


def expand(pattern: str | Iterable[str]) -> tuple[str, ...]:
    """The clause names that match a pattern such as ``"fifo.*"``, or any of several, in the contract's order.

    Raises ``ValueError`` where a pattern matches no clause, or is no text.

    >>> expand("ack.*"), expand(["fence.zero", "retry.*"])
    (('ack.completes',), ('retry.tail', 'retry.slot', 'fence.zero'))
    """
    patterns: list[Any] = [pattern]
    if isinstance(pattern, Iterable) and not isinstance(pattern, str):
        patterns = list(pattern)
    for each in patterns:
        if not isinstance(each, str):
            raise ValueError(f"a clause is picked by its name or a pattern such as 'fifo.*', got {each!r}")
        if not any(fnmatchcase(name, each) for name in CLAUSES):
            raise ValueError(f"no clause is named {each!r}; the clauses are {', '.join(CLAUSES)}")
    return tuple(name for name in CLAUSES if any(fnmatchcase(name, each) for each in patterns))


def fails(clause: Clause, witness: Witness, outputs: Sequence[object]) -> bool:
    """Whether a queue that gave these outputs (in the notation's form) fails this witness of this clause.

    >>> zero = CLAUSES["fence.zero"]
    >>> fails(zero, zero.witnesses[0], [True, ["a", "A", 1], True])
    True
    """
    answers = list(zip(witness.ops, witness.expected, outputs, strict=True))
    if clause.compares == "kind":
        return any(not _allowed(op[0], output) for op, _, output in answers)
    if clause.compares == "room":
        return any(bool(output) != right for op, right, output in answers if op[0] == "enqueue")
    if clause.compares == "queues":
        first, *others = _right_by_queue(answers)
        return any(other != first for other in others)
    return any(_part(clause.compares, right) != _part(clause.compares, output) for _, right, output in answers)


def _right_by_queue(answers: Iterable[tuple[tuple, object, object]]) -> list[list[bool]]:
    """For each queue of a run, which of its answers are right. The witnesses of `isolation.queues` tell every queue
    the same: one that errs errs alike in all of them, and only what they share makes a difference."""
    right: list[list[bool]] = [[]]
    selected = 0
    for (name, *arguments), expected, output in answers:
        if name == "new":
            selected = len(right)
            right.append([])
        elif name == "use":
            selected = arguments[0]
        else:
            right[selected].append(_part("everything", expected) == _part("everything", output))
    return right


def _allowed(operation: str, output: object) -> bool:
    """Whether an output is of a kind that the operation may answer at all (``answer.kind``)."""
    if operation in ("new", "use"):
        return True
    if operation != "reserve":
        return isinstance(output, bool)
    return output is None or [type(part) for part in _parts(output)] == [str, str, int]


def _part(compares: str, output: object) -> object:
    """The part of an output that a clause speaks about. What is falsy counts as a refusal: its kind is a matter
    for `answer.kind` alone."""
    parts = _parts(output)
    if not parts:
        return bool(output)
    wanted = {"job": parts[:1], "attempt": parts[::2], "payload": parts[:2], "everything": parts}[compares]
    return [(type(part).__name__, part) for part in wanted]


def _parts(output: object) -> list:
    """Id, payload and attempt of a reservation; nothing for any other output."""
    return list(output) if isinstance(output, (tuple, list)) and len(output) == 3 else []
