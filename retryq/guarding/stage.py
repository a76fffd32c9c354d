"""Stand-ins for the screen, the keyboard and the way out, for code that runs under guard."""

from __future__ import annotations

import builtins
import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from retryq.guarding.outcome import Board


class _Screen(io.TextIOBase):
    """Stands in for sys.stdout and sys.stderr: keeps the beginning, counts the rest, and never blocks."""

    encoding = "utf-8"

    def __init__(self, board: Board, number: int) -> None:
        self._board, self._number = board, number

    def write(self, text: str) -> int:
        self._board.print(text.encode("utf-8", "backslashreplace"))
        return len(text)

    def fileno(self) -> int:
        return self._number

    def writable(self) -> bool:
        return True


def _ask(*_args: object, **_options: object) -> str:
    raise EOFError("the code asked for input, and nobody is there to answer")


def _leave(code: int = 134) -> None:
    raise SystemExit(code)


class _Keyboard(io.TextIOBase):
    """Stands in for sys.stdin: whoever reads is told that nobody is there."""

    encoding = "utf-8"
    read = readline = __next__ = _ask  # type: ignore[assignment]

    def readable(self) -> bool:
        return True


@contextmanager
def stage(board: Board, doors: bool) -> Iterator[None]:
    """Until left, printing goes to the board and asking for input raises EOFError.

    With `doors`, os._exit and os.abort raise SystemExit instead of ending this process.
    """
    out, err = _Screen(board, 1), _Screen(board, 2)
    props = [
        (sys, "stdout", out), (sys, "__stdout__", out), (sys, "stderr", err), (sys, "__stderr__", err),
        (sys, "stdin", _Keyboard()), (sys, "__stdin__", _Keyboard()), (sys, "breakpointhook", _ask),
        (builtins, "input", _ask), (sys.modules.get("getpass", builtins), "getpass", _ask),
    ]  # fmt: skip
    if doors:
        props += [(os, "_exit", _leave), (os, "abort", _leave)]
    missing = object()
    before = [(place, name, getattr(place, name, missing)) for place, name, _ in props]
    try:
        for place, name, prop in props:
            setattr(place, name, prop)
        yield
    finally:
        for place, name, old in before:
            delattr(place, name) if old is missing else setattr(place, name, old)
