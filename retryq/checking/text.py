"""A check's report as text, for terminals and screen readers, and as a test to keep."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from retryq import geometry
from retryq.checking.findings import Findings
from retryq.checking.words import answer, call, quoted, verdict, where
from retryq.rules import CLAUSES

__all__ = ["HEADINGS", "as_test", "closing", "proof", "rows", "text", "twin"]

WIDTH = 100
HEADINGS = ("operation", "rules say", "yours said")


def rows(report: Findings) -> list[tuple[str, str, str]]:
    """The counterexample as a table: each operation, what the rules say, and what the class said."""
    assert report.counterexample is not None
    return [
        (call(op), answer(right), answer(given))
        for op, right, given in zip(report.counterexample.ops, report.expected, report.actual)
    ]


def text(report: Findings) -> str:
    """The whole report as text, the sentence first."""
    parts = [_wrapped(verdict(report)), _wrapped(where(report))]
    if report.counterexample is not None:
        parts += [_wrapped(proof(report)), _table(report), twin(report)]
    if report.seen is not None:
        parts.append(_wrapped(_seen(report)))
    parts += [_wrapped(line) for line in closing(report)]
    return "\n\n".join(part for part in parts if part)


def twin(report: Findings) -> str:
    """The timeline of the counterexample, printed."""
    assert report.history is not None
    return geometry.text(report.history)


def proof(report: Findings) -> str:
    found = report.counterexample
    assert found is not None
    count = len(found.ops)
    return (
        f"The counterexample has capacity {found.capacity} and {count} operation{'' if count == 1 else 's'}; "
        f"{report.proof}."
    )


def _seen(report: Findings) -> str:
    assert report.seen is not None
    capacity, ops, index, given = report.seen
    return (
        f"What was seen once: capacity {capacity}, {'; '.join(map(call, ops))}. "
        f"Operation {index + 1} was answered {answer(given)}."
    )


def closing(report: Findings) -> list[str]:
    """What is broken, kept, and not reached; and what was tried."""
    if report.outcome == "not attempted" and set(report.clauses.values()) == {"not reached"}:
        return ["So there is nothing to judge yet. Write a method, and check again."]
    lines = []
    for state, words in (("broken", "Broken"), ("not reached", "Not reached"), ("kept", "Kept")):
        names = [name for name, value in report.clauses.items() if value == state]
        if names and not (state == "kept" and report.passed):
            everything = len(names) == len(CLAUSES)
            lines.append(f"{words}: {'every clause' if everything else ', '.join(names)}.")
    lines.append(report.explored.words)
    if report.printed:
        lines.append("It printed something, which is not shown.")
    return lines


def _table(report: Findings) -> str:
    table = [HEADINGS, *rows(report)]
    widths = [max(len(row[column]) for row in table) for column in range(3)]
    lines = []
    for number, row in enumerate(table):
        mark = "  <- here they part" if number - 1 == report.index else ""
        place = str(number) if number else ""
        lines.append(
            f"{place:>2}  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() + mark
        )
    return "\n".join(lines)


def _wrapped(line: str) -> str:
    return textwrap.fill(line, WIDTH, break_on_hyphens=False, break_long_words=False)


def as_test(report: Findings) -> str:
    """A pytest test that fails on this class, and passes once it is mended."""
    found = report.counterexample
    if found is None:
        raise ValueError(f"there is no counterexample to make a test of: {report.name} {report.outcome}")
    name = report.name if report.name.isidentifier() else "MyQueue"
    clause = report.clause or "answer.kind"
    body = list(_body(report, name))
    lines = ["from retryq.conformance import plain", ""] if any("plain(" in line for line in body) else []
    if report.home:
        lines += [f'if "{name}" not in globals():', f"    from {report.home} import {name}", ""]
    lines += ["", f"def test_{clause.translate(str.maketrans('.-', '__'))}():"]
    return "\n".join([*lines, f'    """{clause}: {CLAUSES[clause].title}."""', *body]).lstrip("\n") + "\n"


def _body(report: Findings, name: str) -> Iterator[str]:
    """The counterexample as statements; its last answer, or the one that changes, is the one that fails."""
    found = report.counterexample
    assert found is not None
    yield f"    queue = {name}({found.capacity})"
    if any(op[0] == "new" for op in found.ops):
        yield "    queues = [queue]"
    for number, (op, right) in enumerate(zip(found.ops, report.expected)):
        if op[0] == "new":
            yield f"    queue = {name}({found.capacity})"
            yield "    queues.append(queue)"
        elif op[0] == "use":
            yield f"    queue = queues[{op[1]}]"
        elif not isinstance(right, tuple):
            yield f"    assert {call(op)} is {right!r}"
        elif report.held:
            yield f"    job{number + 1} = {call(op)}"
            yield f"    assert plain(job{number + 1}) == {_list(right)}"
        else:
            yield f"    assert plain({call(op)}) == {_list(right)}"
    if report.changed and report.index is not None:
        right = report.expected[report.index]
        yield f"    assert plain(job{report.index + 1}) == {_list(right)}  # and it has not changed"


def _list(right: tuple) -> str:
    return f"[{', '.join(map(quoted, right))}]"
