"""What one operation, output or source of the scenario notation may be, and how a mistake in it is told.

`scenario` builds on this room, and is where a user comes in.
"""

from __future__ import annotations

import json
import math
import re
from typing import Any, NoReturn

KEYS = ("name", "capacity", "ops", "expected", "source")
OPERATIONS: dict[str, tuple[str, ...]] = {  # each operation with the names of its arguments
    "enqueue": ("id", "payload"),
    "reserve": (),
    "ack": ("id", "attempt"),
    "retry": ("id", "attempt"),
    "cancel": ("id",),
    "new": (),
    "use": ("index",),
}

# The bounds of SPEC.md. They are the notation's, not a queue's.
MAX_CAPACITY = 16
MAX_OPS = 64
MAX_QUEUES = 8
MAX_ATTEMPT = 64
ID = re.compile(r"[A-Za-z0-9_-]{1,16}")
PAYLOAD = re.compile(r"[ -~]{0,32}")
SURROGATE = re.compile("[\ud800-\udfff]")

# SPEC.md leaves "source" free. These only keep out the absurd.
MAX_DEPTH = 32
MAX_VALUES = 10_000
MAX_DIGITS = 300

Op = tuple[Any, ...]  # an operation: its name, then its arguments

SHOWN = 60  # characters of a bad value that a message repeats


class ScenarioError(ValueError):
    """A scenario that is not one. The message is one sentence that says where and what."""

    def _render_traceback_(self) -> list[str]:
        """What a notebook shows: the sentence alone, and not the way through the kit on which it was found."""
        return [f"{type(self).__name__}: {self}"]


def validate_op(op: object, queues: int = 1, where: str = "operation") -> Op:
    """Check one operation, a list or tuple, where `queues` queues have been made; answer it as a tuple.

    >>> validate_op(["ack", "a", 1])
    ('ack', 'a', 1)
    >>> validate_op(["ack", "a"])
    Traceback (most recent call last):
        ...
    retryq.grammar.ScenarioError: operation: ack takes id, attempt, got ["ack", "a"]
    """
    given = entries(op, where, "a list that starts with an operation's name")
    if not given or type(given[0]) is not str or given[0] not in OPERATIONS:
        fail(where, f"must start with one of {', '.join(OPERATIONS)}, got {shown(given[0] if given else op)}")
    name, *arguments = given
    if len(arguments) != len(OPERATIONS[name]):
        fail(where, f"{name} takes {', '.join(OPERATIONS[name]) or 'no arguments'}, got {shown(op)}")
    for what, value in zip(OPERATIONS[name], arguments):
        _argument(what, value, queues, where)
    if name == "new" and queues >= MAX_QUEUES:
        fail(where, f"new would make queue number {queues + 1}, and a scenario has at most {MAX_QUEUES}")
    return given


def _argument(what: str, value: object, queues: int, where: str) -> None:
    good: object
    if what == "id":
        good = type(value) is str and ID.fullmatch(value)
        wanted = "1-16 characters of A-Z, a-z, 0-9, _ and -"
    elif what == "payload":
        good = type(value) is str and PAYLOAD.fullmatch(value)
        wanted = "0-32 printable ASCII characters"
    elif what == "attempt":
        good = type(value) is int and 0 <= value <= MAX_ATTEMPT  # type, not isinstance: True is no attempt
        wanted = f"an integer 0-{MAX_ATTEMPT}"
    else:
        good = type(value) is int and 0 <= value < queues
        wanted = f"a queue made so far ({f'0-{queues - 1}' if queues > 1 else 'only 0'})"
    if not good:
        fail(where, f"{what} must be {wanted}, got {shown(value)}")


def check_output(output: object, name: str, where: str) -> object:
    """An expected output in Python's form, or `ScenarioError`.

    It may be wrong, which is what a difference is, but it must have the shape of its operation's outputs.
    """
    if name in ("new", "use"):
        if output is not None:
            fail(where, f"the output of {name} must be null, got {shown(output)}")
    elif name != "reserve":
        if type(output) is not bool:
            fail(where, f"the output of {name} must be true or false, got {shown(output)}")
    elif output is not None:
        job = entries(output, where, "[id, payload, attempt] or null for reserve")
        if len(job) != 3:
            fail(where, f"must be [id, payload, attempt] or null for reserve, got {shown(output)}")
        for what, value in zip(("id", "payload", "attempt"), job):
            _argument(what, value, 0, where)
        if job[2] == 0:
            fail(where, "attempt must be at least 1 in a reservation, got 0")
        return job
    return output


def check_source(value: object) -> dict[str, Any]:
    """A copy of a JSON object, made of exact dicts, lists, strings and numbers: it can always be dumped."""
    seen = 0

    def copy(value: Any, where: str, depth: int) -> Any:
        nonlocal seen
        seen += 1
        if seen > MAX_VALUES:
            fail("source", f"must hold at most {MAX_VALUES} values")
        if depth > MAX_DEPTH:
            fail("source", f"must be nested at most {MAX_DEPTH} deep")
        if value is None or type(value) is bool:
            return value
        if type(value) is int and abs(value) < 10**MAX_DIGITS:
            return value
        if type(value) is float and math.isfinite(value):
            return value
        if type(value) is str and whole(value):
            return value
        if isinstance(value, dict):
            items = tuple(dict.items(value))
            for key, _ in items:
                if not (type(key) is str and whole(key)):
                    fail(where, f"keys must be strings of whole characters, got {shown(key)}")
            return {key: copy(entry, f"{where}.{_name(key)}", depth + 1) for key, entry in items}
        if isinstance(value, (list, tuple)):
            listed = entries(value, where, "a list")
            return [copy(entry, f"{where}[{index}]", depth + 1) for index, entry in enumerate(listed)]
        fail(where, f"must be a plain JSON value, got {shown(value)}")

    if not isinstance(value, dict):
        fail("source", f"must be a JSON object, got {shown(value)}")
    source: dict[str, Any] = copy(value, "source", 0)
    return source


def _name(key: str) -> str:
    """A key as it stands in a place such as ``source.clause``. Most keys are plain words; `shown` takes long."""
    plain = key.isascii() and key.isidentifier() and len(key) <= SHOWN
    return key if plain else shown(key)[1:-1]


# ------------------------------------------------------------------------------------- saying what is wrong


def fail(where: str, what: str) -> NoReturn:
    raise ScenarioError(f"{where}: {what}")


def entries(value: object, where: str, wanted: str) -> tuple[Any, ...]:
    """The entries of a list or tuple, read through the base class so that a subclass cannot mislead."""
    if isinstance(value, list):
        return tuple(list.__iter__(value))
    if isinstance(value, tuple):
        return tuple(tuple.__iter__(value))
    fail(where, f"must be {wanted}, got {shown(value)}")


def whole(text: str) -> bool:
    """False if the text holds half a character, a lone surrogate: no UTF-8 file can hold that."""
    return not SURROGATE.search(text)


def cut(text: str) -> str:
    return text if len(text) <= SHOWN else text[: SHOWN - 3] + "..."


def shown(value: object) -> str:
    """A value as ASCII JSON, cut to `SHOWN` characters.

    It is encoded piece by piece, and only as far as it is shown: a huge or cyclic one costs nothing.

    >>> shown([True, "x" * 100])
    '[true, "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...'
    """
    text = ""
    try:
        for piece in json.JSONEncoder().iterencode(value):
            text += piece
            if len(text) > SHOWN:
                break
        return cut(text)
    except Exception:  # not JSON, or an integer longer than Python will print
        return "an integer too long to show" if type(value) is int else f"a Python {type(value).__name__}"
