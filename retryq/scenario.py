"""The scenario notation: parse, validate, dump, and run it against any queue.

A scenario is a small JSON object::

    {"capacity": 1, "ops": [["enqueue", "a", "A"], ["reserve"]]}

It may also carry ``"name"``, ``"expected"`` (one output for each operation) and ``"source"`` (any object).
No other key. The operations, and what each puts out:

=============================  =====================================================
``["enqueue", id, payload]``   true / false
``["reserve"]``                ``[id, payload, attempt]``, or null when no job waits
``["ack", id, attempt]``       true / false
``["retry", id, attempt]``     true / false
``["cancel", id]``             true / false
``["new"]``                    null; makes another queue of the same capacity and selects it
``["use", index]``             null; selects a queue made so far (0 is the first)
=============================  =====================================================

`parse` and `validate` are the checked ways in: each answers with a `Scenario` or raises `ScenarioError`,
and never anything else.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any, NoReturn

from retryq.grammar import (
    KEYS,
    MAX_CAPACITY,
    MAX_DIGITS,
    MAX_OPS,
    Op,
    ScenarioError,
    check_output,
    check_source,
    cut,
    entries,
    fail,
    shown,
    validate_op,
    whole,
)

__all__ = [
    "Scenario",
    "ScenarioError",
    "dump",
    "notation",
    "parse",
    "parts_at",
    "run",
    "same",
    "validate",
    "validate_op",
]


@dataclass(frozen=True)
class Scenario:
    """Operations for queues of one capacity, as plain values. A bare record: `validate` and `parse` check.

    `ops` is a tuple of tuples such as ``("ack", "a", 1)``. `expected` holds one output for each operation:
    True, False, None or ``(id, payload, attempt)``. `source` is to be read only; it counts in ``==`` and
    not in the hash.

    >>> Scenario(1, (("enqueue", "a", "A"), ("reserve",))).to_json()
    '{"capacity": 1, "ops": [["enqueue", "a", "A"], ["reserve"]]}'
    """

    capacity: int
    ops: tuple[Op, ...]
    name: str | None = None
    expected: tuple[Any, ...] | None = None
    source: Mapping[str, Any] | None = field(default=None, hash=False)

    def to_json(self) -> str:
        """One line of ASCII JSON, keys in the order of `KEYS`, absent ones left out."""
        values = ((key, getattr(self, key)) for key in KEYS)
        return json.dumps({key: value for key, value in values if value is not None}, allow_nan=False)


def dump(scenario: Scenario) -> str:
    """The scenario as one line of JSON; ``parse(dump(s)) == s`` for every valid scenario.

    >>> dump(parse('{"ops": [ ["reserve"] ], "capacity": 0, "name": "nothing there"}'))
    '{"name": "nothing there", "capacity": 0, "ops": [["reserve"]]}'
    """
    return scenario.to_json()


# ------------------------------------------------------------------------------------------------ reading


def parse(text: str | bytes) -> Scenario:
    """Read one scenario from JSON text (bytes are UTF-8), or raise `ScenarioError`.

    >>> parse('{"capacity": 1, "ops": [["ack", "a", 1]]}').ops
    (('ack', 'a', 1),)
    >>> parse('{"capacity": 1, "ops": [["ack", "a", true]]}')
    Traceback (most recent call last):
        ...
    retryq.grammar.ScenarioError: ops[0]: attempt must be an integer 0-64, got true
    """
    if isinstance(text, (bytes, bytearray)):
        try:
            text = text.decode("utf-8")
        except UnicodeDecodeError as error:
            fail("text", f"must be UTF-8, and byte {error.start} is not")
    if not isinstance(text, str):
        fail("text", f"must be str or bytes, got {shown(text)}")
    if text.startswith("\ufeff"):
        fail("text", "starts with a byte order mark; save it as UTF-8 without one")
    if not text.strip():
        fail("text", "is empty where a JSON object should stand")
    text = text.rstrip(" \t\r\n")  # so that what is missing is missed at the end of the last line
    try:
        value = json.loads(
            text, object_pairs_hook=_object, parse_int=_integer, parse_float=_number, parse_constant=_constant
        )
    except json.JSONDecodeError as error:
        line = f"line {error.lineno}, " if "\n" in text else ""
        fail("text", f"is not JSON at {line}column {error.colno}: {error.msg.removesuffix(' at')}")
    except RecursionError:
        fail("text", "is nested too deeply")
    return validate(value)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            fail("text", f"has the key {shown(key)} twice in one object")
        found[key] = value
    return found


def _integer(digits: str) -> int:
    length = len(digits.lstrip("-"))
    if length > MAX_DIGITS:  # int() itself refuses more than 4,300 digits, with another exception
        fail("text", f"has a number of {length} digits; {MAX_DIGITS} are the most")
    return int(digits)


def _number(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):  # 1e999 is legal JSON that no float can hold
        fail("text", f"has a number too large to hold: {cut(digits)}")
    return number


def _constant(word: str) -> NoReturn:
    fail("text", f"is not JSON: {word} is no JSON number")


# ---------------------------------------------------------------------------------------------- validating


def validate(obj: object) -> Scenario:
    """Check a decoded JSON value (a dict with lists; tuples are taken as lists) and make a `Scenario` of it.

    >>> validate({"capacity": 2, "ops": [("use", 1)]})
    Traceback (most recent call last):
        ...
    retryq.grammar.ScenarioError: ops[0]: index must be a queue made so far (only 0), got 1
    """
    try:
        return _validate(obj)
    except ScenarioError:
        raise
    except Exception:  # an object may do anything when it is looked at; plain data never gets here
        raise ScenarioError("scenario: must be plain JSON data, and an object in it cannot be read") from None


def _validate(obj: object) -> Scenario:
    if not isinstance(obj, dict):
        fail("scenario", f"must be a JSON object, got {shown(obj)}")
    given = dict(dict.items(obj))  # the base class's items: a subclass may answer differently each time
    for key in given:
        if key not in KEYS:
            fail("scenario", f"has the unknown key {shown(key)}; the keys are {', '.join(KEYS)}")
    for key in ("capacity", "ops"):
        if key not in given:
            fail("scenario", f'has no key "{key}"')

    name = given.get("name")
    if "name" in given and not (type(name) is str and whole(name)):
        fail("name", f"must be a string of whole characters, got {shown(name)}")
    capacity = given["capacity"]
    if type(capacity) is not int or not 0 <= capacity <= MAX_CAPACITY:
        fail("capacity", f"must be an integer 0-{MAX_CAPACITY}, got {shown(capacity)}")
    ops = _ops(given["ops"])
    expected = _expected(given["expected"], ops) if "expected" in given else None
    source = check_source(given["source"]) if "source" in given else None
    return Scenario(capacity, ops, name, expected, source)


def _ops(value: object) -> tuple[Op, ...]:
    given = entries(value, "ops", "a list of operations")
    if len(given) > MAX_OPS:
        fail("ops", f"must hold at most {MAX_OPS} operations, got {len(given)}")
    ops: list[Op] = []
    queues = 1
    for index, entry in enumerate(given):
        op = validate_op(entry, queues, f"ops[{index}]")
        queues += op[0] == "new"
        ops.append(op)
    return tuple(ops)


def _expected(value: object, ops: tuple[Op, ...]) -> tuple[Any, ...]:
    given = entries(value, "expected", "a list of outputs")
    if len(given) != len(ops):
        fail("expected", f"must hold one output for each of the {len(ops)} operations, got {len(given)}")
    pairs = enumerate(zip(given, ops))
    return tuple(check_output(output, op[0], f"expected[{index}]") for index, (output, op) in pairs)


# ----------------------------------------------------------------------------------- running and comparing


def run(scenario: Scenario, queue_class: Any) -> list[Any]:
    """Run the operations on ``queue_class(capacity)`` and answer one output for each.

    An answer is put into the notation's form and otherwise kept as it came, right or wrong.

    >>> from retryq import Queue
    >>> run(Scenario(1, (("enqueue", "a", "A"), ("reserve",), ("new",), ("reserve",))), Queue)
    [True, ['a', 'A', 1], None, None]
    """
    queues = [queue_class(scenario.capacity)]
    current = queues[0]
    outputs: list[Any] = []
    for name, *arguments in scenario.ops:
        if name == "new":
            current = queue_class(scenario.capacity)
            queues.append(current)
            outputs.append(None)
        elif name == "use":
            current = queues[arguments[0]]
            outputs.append(None)
        else:
            outputs.append(notation(getattr(current, name)(*arguments)))
    return outputs


def notation(answer: Any) -> Any:
    """A queue's answer in the notation's form: a job becomes ``[id, payload, attempt]``, all else stays.

    A job is anything with ``.id``, ``.payload`` and ``.attempt``, or a tuple of three.

    >>> notation(("a", "A", 1)), notation(True), notation(1)
    (['a', 'A', 1], True, 1)
    """
    if answer is None or answer is True or answer is False:
        return answer
    if hasattr(answer, "id") and hasattr(answer, "payload") and hasattr(answer, "attempt"):
        return [answer.id, answer.payload, answer.attempt]
    if isinstance(answer, tuple) and len(answer) == 3:
        return list(answer)
    return answer


def same(expected: Any, actual: Any) -> bool:
    """Are two outputs equal in value and kind? True is not 1, 1 is not 1.0; a list and a tuple are one kind.

    >>> same(("a", "A", 1), ["a", "A", 1]), same(True, 1), same(("a", "A", 1), ["a", "A", True])
    (True, False, False)
    """
    if expected is actual:
        return True
    if isinstance(expected, (list, tuple)) and isinstance(actual, (list, tuple)):
        return len(expected) == len(actual) and all(map(same, expected, actual))
    return type(expected) is type(actual) and bool(expected == actual)


def parts_at(expected: Iterable[Any], actual: Iterable[Any]) -> int | None:
    """The index of the first output that is not the `same` (or is missing on one side); None where all are.

    >>> parts_at([True, None, False], [True, None, 0])
    2
    """
    for index, (one, other) in enumerate(zip_longest(expected, actual, fillvalue=object())):
        if not same(one, other):
            return index
    return None
