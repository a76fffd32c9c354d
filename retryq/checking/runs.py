"""One run of a class that may do anything, held against what the rules answer.

A run is a capacity and a list of calls. All of this happens under guard; the answers that leave this room are
plain data.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from retryq.checking.calls import Call
from retryq.guarding.inside import Stop
from retryq.guarding.outcome import describe

__all__ = ["METHODS", "Odd", "Parting", "Trouble", "answer_of", "first_parting", "outputs", "pack", "revive"]

METHODS = ("enqueue", "reserve", "ack", "retry", "cancel")
MAKING = 255  # instead of the number of a call: the first queue is being made
SHOWN = 80  # characters of an odd answer that are shown


@dataclass(frozen=True)
class Trouble:
    """In place of an answer: what happened instead.

    ``kind`` is ``"raised"``, ``"not written"``, ``"missing"``, ``"exited"``, ``"ran too long"`` or
    ``"crashed"``; ``text`` says it in words; ``where`` names the method; ``trace`` is where in the code an
    exception came from.
    """

    kind: str
    text: str
    where: str = ""
    trace: str = ""

    def __repr__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Odd:
    """An answer of a kind that no rule allows. ``like`` is the nearest thing that the rules speak of."""

    text: str
    like: Any = True

    def __repr__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Parting:
    """Where a run and the rules part: the index of the call, and what came instead of the right answer.

    ``changed`` says that the answer was right when it was given and was changed afterwards; ``end`` is how
    many calls it takes until the fault shows.
    """

    index: int
    output: Any
    end: int
    changed: bool = False


def first_parting(
    make: Callable[[int], Any], capacity: int, calls: Sequence[Call], cells: Any, keep: bool
) -> Parting | None:
    """Run the calls up to the first answer that is not the rules'; ``None`` where there is none.

    The number of the call under way stands in ``cells[0]``. With ``keep``, every job that was answered is
    held, and looked at again in the end; without, it is let go at once, as a worker does that remembers the
    id alone.
    """
    index = 0
    held: list[tuple[int, Any, Any]] = []
    queue = None
    cells[0] = MAKING
    try:
        queue = make(capacity)
        queues = [queue]
        for index, (name, arguments, right) in enumerate(calls):
            cells[0] = index
            if right is None and name != "reserve":
                if name == "new":
                    queue = None
                    queue = make(capacity)
                    queues.append(queue)
                else:
                    queue = queues[arguments[0]]
                continue
            answer = getattr(queue, name)(*arguments)
            if answer is right:
                continue
            if right.__class__ is not tuple or not _is_job(answer, right):
                return Parting(index, answer_of(answer), index + 1)
            if keep:
                held.append((index, answer, right))
            answer = None
        for index, answer, right in held:
            if not _is_job(answer, right):
                return Parting(index, answer_of(answer), len(calls), changed=True)
    except Stop:
        raise
    except BaseException as error:  # noqa: BLE001  (a stranger's code may raise anything)
        return Parting(index, _trouble(error, queue, calls[index][0] if calls else ""), index + 1)
    return None


def outputs(
    make: Callable[[int], Any], capacity: int, calls: Sequence[Call], cells: Any
) -> tuple[list, int | None]:
    """Run all calls, right or wrong, and answer every output as it was given.

    After an exception the run goes on with the next call. A method that is not written yet ends it. The
    second value says which answer was changed after it was given, if any was.
    """
    given: list[Any] = []
    held: list[tuple[int, Any, Any]] = []
    queues: list[Any] = [None]
    current = 0
    cells[0] = MAKING
    try:
        queues[0] = make(capacity)
    except Stop:
        raise
    except BaseException as error:  # noqa: BLE001  (a stranger's code may raise anything)
        return [_trouble(error, None, "")] * max(1, len(calls)), None
    for index, (name, arguments, _) in enumerate(calls):
        cells[0] = index
        output = None
        try:
            if name == "new":
                queues.append(None)
                current = len(queues) - 1
                queues[current] = make(capacity)
            elif name == "use":
                (current,) = arguments
            else:
                answer = getattr(queues[current], name)(*arguments)
                output = answer_of(answer)
                if isinstance(output, list):
                    held.append((index, answer, output))
        except Stop:
            raise
        except BaseException as error:  # noqa: BLE001  (a stranger's code may raise anything)
            output = _trouble(error, queues[current], name)
        given.append(output)
        if isinstance(output, Trouble) and output.kind in ("not written", "missing", "exited"):
            return given, None
    changed = next((index for index, answer, before in held if answer_of(answer) != before), None)
    return given, changed


def _parts(answer: Any) -> tuple[Any, Any, Any] | None:
    """What may be the id, payload and attempt of a job, each read once; ``None`` where it is nothing of the kind."""
    try:
        return answer.id, answer.payload, answer.attempt
    except AttributeError:
        return answer if isinstance(answer, tuple) and len(answer) == 3 else None


def _is_job(answer: Any, right: tuple[str, str, int]) -> bool:
    """Whether an answer is this very job: a tuple of three, or anything with ``.id``, ``.payload``,
    ``.attempt``."""
    parts = _parts(answer)
    if parts is None:
        return False
    id, payload, attempt = parts
    return (
        id.__class__ is str
        and payload.__class__ is str
        and attempt.__class__ is int
        and (id, payload, attempt) == right
    )


def answer_of(answer: Any) -> Any:
    """An answer as plain data: true, false, missing, a job as ``[id, payload, attempt]``, or an `Odd` one.

    >>> answer_of(("a", "A", 1)), answer_of(1)
    (['a', 'A', 1], 1)
    """
    if answer is None or answer is True or answer is False:
        return answer
    parts = _parts(answer)
    if parts is None:
        like = list(map(_part, answer)) if type(answer) is list and len(answer) == 3 else _truth(answer)
        return Odd(_shown(answer), like)
    return [_part(part) for part in parts]


def _part(part: Any) -> Any:
    """A part of a job: strings and whole numbers stay, anything else is shown."""
    if type(part) is str and len(part) <= SHOWN or type(part) is int and abs(part) < 10**18:
        return part
    return Odd(_shown(part), _truth(part))


def _truth(value: Any) -> bool:
    try:
        return bool(value)
    except Exception:  # noqa: BLE001
        return True


def _shown(value: Any) -> str:
    """A value in a few words, without addresses; whatever its own methods do."""
    kind = type(value).__name__
    if type(value) is int and abs(value) >= 10**18:
        return "a huge int"
    try:
        text = _cut(
            re.sub(
                r" at 0x[0-9A-Fa-f]+", "", repr(value[:SHOWN] if type(value) in (str, bytes, list) else value)
            )
        )
    except Stop:
        raise
    except BaseException:  # noqa: BLE001
        text = f"an object of the type {kind}"
    plain = type(value) in (int, float, str, bool, type(None), bytes)
    return text if plain or kind in text or text.startswith(("[", "{", "(")) else f"{text} ({kind})"


def _cut(text: str) -> str:
    return text if len(text) <= SHOWN else text[: SHOWN - 3] + "..."


def _trouble(error: BaseException, queue: Any, name: str) -> Trouble:
    where = "__init__" if queue is None else name
    if isinstance(error, NotImplementedError):
        return Trouble("not written", f"{where} is not written yet (NotImplementedError)", where)
    if isinstance(error, SystemExit):
        return Trouble("exited", f"ended the program ({type(error).__name__})", where)
    if isinstance(error, AttributeError) and queue is not None and _lacks(queue, name):
        return Trouble("missing", f"there is no method {name}", where)
    failure = describe(error)
    trace = re.sub(
        r"\.\.\. \d+ more \.\.\.", "...", failure.trace
    )  # how many there are depends on who called
    return Trouble("raised", str(failure).split("\n")[0][:300], where, trace)


def _lacks(queue: Any, name: str) -> bool:
    try:
        return not hasattr(queue, name)
    except Exception:  # noqa: BLE001
        return False


def revive(output: Any) -> Any:
    """An output that has crossed from another process as plain data, in its own form again."""
    if isinstance(output, tuple) and output[:1] == ("trouble",):
        return Trouble(*output[1:])
    if isinstance(output, tuple) and output[:1] == ("odd",):
        return Odd(output[1], output[2])
    return [revive(part) for part in output] if isinstance(output, list) else output


def pack(output: Any) -> Any:
    """The reverse of `revive`: nothing but plain data."""
    if isinstance(output, Trouble):
        return ("trouble", output.kind, output.text, output.where, output.trace)
    if isinstance(output, Odd):
        return ("odd", output.text, output.like)
    return [pack(part) for part in output] if isinstance(output, list) else output
