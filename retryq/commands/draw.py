"""`python -m retryq draw SCENARIO -o PICTURE`: draw a run, or print its text twin."""

from __future__ import annotations

import sys

from retryq import history
from retryq.commands.run import open_input
from retryq.geometry import text
from retryq.scenario import ScenarioError, parse

BAD = 2


def draw_file(path: str, output: str | None, cursor: int | None = None) -> int:
    """Draw the scenario in a file (``-``: standard input) to ``output``, or print its text twin where that is
    ``None``; answer the exit status: 0 well, 2 not."""
    name = "<stdin>" if path == "-" else path
    try:
        with open_input(path) as file:
            scenario = parse(file.read())
    except ScenarioError as error:
        return _fail(f"{name}: {error}")
    except OSError as error:
        return _fail(f"{name}: cannot be read: {error.strerror or error}")
    if cursor is not None and not 0 <= cursor <= len(scenario.ops):
        return _fail(f"--cursor must be 0 to {len(scenario.ops)}, got {cursor}")
    if output is None:
        print(text(history.run(scenario), cursor, scenario.name or ""))
        return 0
    try:
        from retryq.timeline import Timeline
    except ModuleNotFoundError as error:
        return _fail(f"a picture needs {error.name}, which is not installed; without -o the text is printed")
    try:
        Timeline(scenario, cursor).save(output)
    except ValueError as error:
        return _fail(str(error))
    except OSError as error:
        return _fail(f"{output}: cannot be written: {error.strerror or error}")
    return 0


def _fail(message: str) -> int:
    if sys.stderr is not None:
        print(message, file=sys.stderr)
    return BAD
