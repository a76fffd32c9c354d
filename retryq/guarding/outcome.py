"""What is said of a run under guard, and the parts that each way of guarding shares.

`guard.py` chooses the way and runs the code. This file holds the record that comes back (`Outcome`,
`Failure`), the memory through which code that is killed still tells where it was (`Progress`) and what it
said (`Board`), and the clock (`Watch`).
"""

from __future__ import annotations

import linecache
import marshal
import os
import re
import sys
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic
from traceback import walk_tb
from types import FrameType

try:
    import mmap
except ImportError:  # some browsers' Pythons; memory need not be shared where there is one process
    mmap = None  # type: ignore[assignment]

KINDS = ("returned", "raised", "ran too long", "exited", "crashed")
ANSWER_ROOM = 4 * 2**20  # bytes for a returned value; memory that is not written costs nothing
GUARDING = os.path.dirname(__file__)
PACKAGE = os.path.dirname(GUARDING)


@dataclass(frozen=True)
class Failure:
    """An exception as plain text. `trace` has a line for each frame of the code, outermost first."""

    type: str
    message: str
    trace: str = ""

    def __str__(self) -> str:
        return f"{self.type}: {self.message}" if self.message else self.type


@dataclass(frozen=True)
class Outcome:
    """How a guarded call ended.

    `kind` is one of `KINDS`, and `detail` completes the sentence "The code ...". `value` is what was
    returned; `error` is set when the kind is "raised". `output` is the first part of what was printed,
    `printed` counts the bytes of all of it, and `flooded` says that there were more than are kept.
    `progress` is the last note.
    """

    kind: str
    detail: str
    value: object = None
    error: Failure | None = None
    output: str = ""
    printed: int = 0
    flooded: bool = False
    progress: bytes = b""

    def __str__(self) -> str:
        return f"The code {self.detail}."


def shared(size: int) -> memoryview:
    """Some zeroed memory that a child process made by `fork` writes to and its parent reads."""
    return memoryview(mmap.mmap(-1, size) if mmap else bytearray(size))


class Progress:
    """A few bytes that survive the end of whoever wrote them. One serves one call at a time.

    The code under guard notes where it is; when it is killed, it is still there. Each replaces the last.

    >>> progress = Progress()
    >>> progress.note(b"capacity 2, operation 7")
    >>> progress.read()
    b'capacity 2, operation 7'

    Where a note for each operation costs too much (0.2 microseconds), write single bytes into `cells` (some
    0.02 microseconds): a memoryview of `size` bytes, zero at first, whose meaning is yours and which is
    read directly.
    """

    def __init__(self, size: int = 4096) -> None:
        memory = shared(8 + 2 * size)
        self._length = memory[:8].cast("Q")
        self._note = memory[8 : 8 + size]
        self.cells = memory[8 + size :]
        self._all = memory

    def note(self, data: bytes) -> None:
        """Replace the note; what does not fit into `size` bytes is cut off."""
        data = data[: len(self._note)]
        self._note[: len(data)] = data
        self._length[0] = len(data)

    def read(self) -> bytes:
        return bytes(self._note[: self._length[0]])

    def snapshot(self) -> bytes:
        """Note and cells together: two snapshots differ when there was progress between them."""
        return bytes(self._all)


class Board:
    """Shared memory for one call: the first bytes that are printed, and the answer."""

    def __init__(self, output_limit: int, answer_room: int = ANSWER_ROOM) -> None:
        self.limit = output_limit
        memory = shared(16 + output_limit + answer_room)
        self._counts = memory[:16].cast("Q")  # bytes printed; 1 + length of the answer, or 0: none yet
        self._page = memory[16 : 16 + output_limit]
        self._answer = memory[16 + output_limit :]

    def print(self, data: bytes, size: int | None = None) -> None:
        """Add what was printed, as far as it fits; `size` is for data of which only the beginning is given."""
        printed = self._counts[0]
        room = self._page[printed : printed + len(data)]
        room[:] = data[: len(room)]
        self._counts[0] = printed + (len(data) if size is None else size)

    def put(self, answer: bytes) -> None:
        if len(answer) > len(self._answer):
            answer = _unfit(f"it takes {len(answer):,} bytes, and there is room for {len(self._answer):,}")
        self._answer[: len(answer)] = answer
        self._counts[1] = len(answer) + 1  # written last: a child killed half-way has answered nothing

    def outcome(self, otherwise: tuple[str, str], progress: Progress | None) -> Outcome:
        """What the answer says; where there is none, `otherwise` is the kind and the detail."""
        length, printed = self._counts[1], self._counts[0]
        value, failure = None, None
        kind, detail = otherwise
        if length:
            kind, detail, value, failure = marshal.loads(self._answer[: length - 1])
        if flooded := printed > len(self._page):
            detail += f", and it flooded its output, of which the first {len(self._page):,} bytes are kept"
        return Outcome(
            kind,
            detail,
            value,
            Failure(*failure) if failure else None,
            bytes(self._page[:printed]).decode("utf-8", "ignore"),
            printed,
            flooded,
            progress.read() if progress else b"",
        )


class Watch:
    """Says when enough time has passed: `seconds` in all, or `stall` seconds without progress."""

    def __init__(self, seconds: float, stall: float | None, progress: Progress | None) -> None:
        self.seconds, self.stall, self.progress = seconds, stall, progress
        self.moved = self.deadline = monotonic()
        self.deadline += seconds
        self.seen = progress.snapshot() if progress else b""

    def verdict(self) -> str:
        """Why the code must stop now, as an end to "the code ..."; empty while it may go on."""
        now = monotonic()
        if now > self.deadline:
            return f"was stopped, still running after {_in_seconds(self.seconds)}"
        if self.stall is None or self.progress is None or now - self.moved < self.stall / 8:
            return ""
        seen = self.progress.snapshot()
        if seen != self.seen:
            self.seen, self.moved = seen, now
        elif now - self.moved > self.stall:
            return f"was stopped, stuck in one place for {_in_seconds(self.stall)}"
        return ""


def attempt(function: Callable[[], object], stop: type[BaseException] | None = None) -> bytes:
    """Call the function and pack how it ended, to cross to another process; `stop` passes through.

    `marshal` carries plain data alone; `pickle` would run code of a stranger's in the process that reads it.
    """
    depth = sys.getrecursionlimit()
    value, failure, code = None, None, None
    try:
        try:
            value = function()
        finally:
            sys.setrecursionlimit(depth)
    except BaseException as error:
        if stop is not None and isinstance(error, stop):
            raise
        if isinstance(error, SystemExit):
            code = error.code or 0
        else:
            failure = describe(error)
    if code is not None:
        return _pack("exited", f"ended the whole program, with exit code {_text(code)}")
    if failure is not None:
        return _pack("raised", f"raised {failure}", failure)
    try:
        return marshal.dumps(("returned", "returned", value, None))  # type: ignore[arg-type]
    except ValueError:
        return _unfit(f"in it there is something other than plain data ({type(value).__name__})")


def _pack(kind: str, detail: str, failure: Failure | None = None) -> bytes:
    parts = (failure.type, failure.message, failure.trace) if failure else None
    return marshal.dumps((kind, detail, None, parts))


def _unfit(why: str) -> bytes:
    failure = Failure("TypeError", f"what was returned cannot be carried back: {why}")
    return _pack("raised", f"raised {failure}", failure)


def describe(error: BaseException, frames: int = 3) -> Failure:
    """The exception as text, whatever its methods do; at most the first and last `frames` frames are shown.

    Memory addresses and the folders of files are left out, so that the text is the same in every run.

    >>> str(describe(KeyError("b")))
    "KeyError: 'b'"
    """
    try:
        name = str.__str__(type(error).__name__)
    except BaseException:  # noqa: BLE001  a stranger's exception may do anything
        name = "an exception"
    try:
        trace = "\n".join(_trace(error, frames))
    except BaseException:  # noqa: BLE001
        trace = ""
    message = _text(error)
    if isinstance(error, MemoryError) and not message:
        message = "it asked for more memory than it may use"
    return Failure(name, message, trace)


def _trace(error: BaseException, frames: int) -> list[str]:
    """A line for each frame of the code: none for guard, nor for what else of this package led to it.

    A class of this package, which has no other frames, keeps its last one.
    """
    first: list[str] = []
    last: deque[tuple[FrameType, int]] = deque(maxlen=frames)
    passed, leading = 0, True
    for frame, number in walk_tb(error.__traceback__):  # after some recursions, millions of them
        folder, file = os.path.split(frame.f_code.co_filename)
        if folder == GUARDING or (folder, file) == (PACKAGE, "guard.py"):
            continue
        if leading and not _is_ours(folder):
            leading = False
            last.clear()
        passed += not leading
        if leading or passed > frames:
            last.append((frame, number))
        else:
            first.append(_line(frame, number))
    if leading:
        return [_line(*place) for place in list(last)[-1:]]
    dots = [f"... {passed - 2 * frames} more ..."] if passed > 2 * frames else []
    return first + dots + [_line(*place) for place in last]


def _is_ours(folder: str) -> bool:
    """Whether the code in a folder is this package's, and none of its broken queues."""
    return folder == PACKAGE or (os.path.dirname(folder) == PACKAGE and os.path.basename(folder) != "zoo")


def _line(frame: FrameType, number: int) -> str:
    path = frame.f_code.co_filename
    cell = path.startswith("<") or "ipykernel_" in path
    place = f"line {number}, in {frame.f_code.co_name}"
    source = linecache.getline(path, number, frame.f_globals).strip()
    return ("" if cell else os.path.basename(path) + ", ") + place + (f": {source}" if source else "")


def _text(thing: object, limit: int = 1000) -> str:
    """`str(thing)`, bounded, without memory addresses, and always an exact `str`."""
    try:
        text = str.__getitem__(str(thing), slice(limit))
    except BaseException:  # noqa: BLE001
        return "(it cannot be printed)"
    return re.sub(r" at 0x[0-9A-Fa-f]+", "", text)


def _in_seconds(seconds: float) -> str:
    return f"{seconds:g} second" + ("" if seconds == 1 else "s")
