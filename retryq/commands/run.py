"""`python -m retryq run FILE...`: run scenarios on the queue, one line of JSON outputs for each."""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Iterable, Iterator
from typing import BinaryIO

from retryq.grammar import shown
from retryq.queue import Queue
from retryq.scenario import ScenarioError, parse, parts_at, run

DIFFERS, BAD = 1, 2


def run_files(paths: Iterable[str]) -> int:
    """Run the scenarios of every file in order (``-`` or none: standard input) and answer the exit status.

    0 all well, 1 some outputs were not the expected ones, 2 some scenarios or files were bad. Each line of
    outputs is flushed at once, so that a program at the other end of a pipe can wait for it.
    """
    status = 0
    for path in list(paths) or ["-"]:
        for where, text in _scenarios(path):
            status = max(status, _run_one(where, text))
    return status


def _run_one(where: str, text: bytes | OSError) -> int:
    if isinstance(text, OSError):
        _say(f"{where}: cannot be read: {text.strerror or text}")
        return BAD
    try:
        scenario = parse(text)
    except ScenarioError as error:
        print("null", flush=True)  # so that lines of output still match lines of input
        _say(f"{where}: {error}")
        return BAD
    outputs = run(scenario, Queue)
    print(json.dumps(outputs), flush=True)
    if scenario.expected is None:
        return 0
    index = parts_at(scenario.expected, outputs)
    if index is None:
        return 0
    name = "" if scenario.name is None else f"{shown(scenario.name)}: "
    parts = scenario.ops[index], scenario.expected[index], outputs[index]
    operation, expected, got = map(json.dumps, parts)
    _say(f"{where}: {name}ops[{index}] {operation}: expected {expected}, got {got}")
    return DIFFERS


def _scenarios(path: str) -> Iterator[tuple[str, bytes | OSError]]:
    """Each scenario's text with the place to name in a message; at the end the error, if reading fails."""
    name = "<stdin>" if path == "-" else path
    try:
        with open_input(path) as stream:
            yield from _split(name, stream)
    except OSError as error:
        yield name, error


def open_input(path: str) -> contextlib.AbstractContextManager[BinaryIO]:
    """A file to read bytes from, or standard input (``-``). ``OSError`` where it cannot be read."""
    if path != "-":
        return open(path, "rb")
    if sys.stdin is None:
        raise OSError("standard input is closed")
    return contextlib.nullcontext(sys.stdin.buffer)  # named twice, it must still be open


def _split(name: str, stream: BinaryIO) -> Iterator[tuple[str, bytes]]:
    number, blank, line = 1, b"", stream.readline()
    while line and not line.strip():
        number, blank, line = number + 1, blank + line, stream.readline()
    if not _is_complete(line):
        yield name, blank + line + stream.read()  # blank lines too: they count in JSON's line numbers
        return
    while line:
        if line.strip():
            yield f"{name}:{number}", line
        number, line = number + 1, stream.readline()


def _is_complete(line: bytes) -> bool:
    """Is the line a JSON value by itself? A good scenario or not is another question."""
    try:
        json.loads(line.decode("utf-8-sig"), parse_int=float)  # float: a number may be too long for an int
    except RecursionError:
        return True
    except ValueError:
        return False
    return True


def _say(message: str) -> None:
    if sys.stderr is not None:  # print() would take None for standard output
        print(message, file=sys.stderr, flush=True)
