"""A check's report in words: one sentence, a text for terminals and screen readers, and a test to keep."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

from retryq.check_run import METHODS, Odd, Trouble
from retryq.rules import CLAUSES

if TYPE_CHECKING:
    from retryq.check_report import Report

__all__ = ["answer", "as_test", "call", "closing", "rows", "sentence", "text", "verdict"]

WIDTH = 100
HEADINGS = ("operation", "rules say", "yours said")


def call(op: tuple) -> str:
    """An operation as Python would write it.

    >>> call(("ack", "a", 1)), call(("new",))
    ('queue.ack("a", 1)', 'queue = another queue')
    """
    name, *arguments = op
    if name == "new":
        return "queue = another queue"
    if name == "use":
        return f"queue = queue number {arguments[0]}"
    return f"queue.{name}({', '.join(map(_quoted, arguments))})"


def answer(output: Any) -> str:
    """An output as Python would write it, or what happened instead."""
    if isinstance(output, Trouble):
        return output.text if output.kind != "raised" else f"raised {output.text}"
    if isinstance(output, (list, tuple)):
        return f"({', '.join(map(_quoted, output))})"
    return repr(output)


def _quoted(value: Any) -> str:
    """A string in double quotes, as the notation writes it."""
    if not isinstance(value, str):
        return repr(value)
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


def verdict(report: Report) -> str:
    """The first half of the sentence: what is the matter with the class."""
    name = report.name
    if report.outcome == "passes":
        if len(report.clauses) == len(CLAUSES):
            return f"{name} keeps every rule, as far as it was tried."
        were = "it was" if len(report.clauses) == 1 else "they were"
        return f"{name} keeps {_listed(report.clauses)}, as far as {were} tried."
    if report.outcome == "not attempted":
        return f"{name} is not finished: {_unwritten(report)}."
    if report.outcome == "not repeatable":
        return (
            f"{name} does not answer the same twice: a fault showed, and not again from a fresh start. "
            "So its answers depend on something outside the scenario: chance, time, or what ran before."
        )
    if report.outcome == "disagrees":
        return f"{name} breaks {report.clause}: {CLAUSES[report.clause or 'answer.kind'].sentence}"
    if report.counterexample is None:
        return f"{name} is too slow to be checked: not even the witnesses of the rules came to an end."
    ends = {
        "raised": "raises an exception",
        "ran too long": "does not come back",
        "exited": "ends the whole program",
    }
    return f"{name} {ends[report.outcome]}."


def sentence(report: Report) -> str:
    """The report in a sentence or two: what is the matter, and the one answer that shows it."""
    shown = where(report)
    return f"{verdict(report)} {shown}" if shown else verdict(report)


def where(report: Report) -> str:
    """The one answer that gives the class away."""
    step, index = report.step, report.index
    if step is None or index is None or report.counterexample is None:
        return ""
    given = report.actual[index]
    said = call(step.op)
    place = (
        f"In operation {index + 1}, {said},"
        if len(report.counterexample.ops) > 1
        else f"Asked {said} at once,"
    )
    right = f"the rules say {answer(step.result)} ({report.symptom}: {step.why})"
    if report.changed:
        return (
            f"{place} your queue answered rightly, {answer(step.result)}; but after operation "
            f"{len(report.actual)} that very answer reads {answer(given)} "
            f"({report.symptom}: what was answered never changes afterwards)."
        )
    if isinstance(given, Trouble):
        if given.where == "__init__":
            place = f"Made with capacity {report.counterexample.capacity},"
        right = (
            f"the rules say {answer(step.result)}"
            if given.where != "__init__"
            else "it should be ready for use"
        )
        return f"{place} your queue {_happened(given)}, where {right} ({report.symptom})."
    if isinstance(given, Odd) or report.symptom == "answer.kind":
        allowed = "a job or None" if step.op[0] == "reserve" else "True or False"
        return (
            f"{place} your queue answered {answer(given)}, where the rules say {answer(step.result)} "
            f"(answer.kind: {step.op[0]} answers {allowed} and nothing else)."
        )
    return f"{place} your queue answered {answer(given)} where {right}."


def _happened(trouble: Trouble) -> str:
    """What happened instead of an answer, to complete "your queue ..."; with a hint where a beginner may need
    one."""
    hints = {
        "RecursionError": "it calls itself without end",
        "MemoryError": "it asks for more memory than it may have",
        "EOFError": "it waits for input(), and nobody is there to type",
    }
    if trouble.kind == "raised":
        hint = next((f": {hint}" for name, hint in hints.items() if trouble.text.startswith(name)), "")
        return f"raised {trouble.text}{hint}"
    return trouble.text


def _listed(names: Any) -> str:
    names = list(names)
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _unwritten(report: Report) -> str:
    lacking = [name for name, text in report.unwritten.items() if text == "missing"]
    raising = [name for name, text in report.unwritten.items() if text != "missing"]
    if set(report.unwritten) >= set(METHODS) and not lacking:
        return "none of its five methods is written yet"
    parts = [f"there is no method {_listed(lacking)}"] if lacking else []
    return "; ".join(
        [
            *parts,
            *(
                [f"{_listed(raising)} {'is' if len(raising) == 1 else 'are'} not written yet"]
                if raising
                else []
            ),
        ]
    )


def rows(report: Report) -> list[tuple[str, str, str]]:
    """The counterexample as a table: each operation, what the rules say, and what the class said."""
    assert report.counterexample is not None
    return [
        (call(op), answer(right), answer(given))
        for op, right, given in zip(report.counterexample.ops, report.expected, report.actual)
    ]


def text(report: Report) -> str:
    """The whole report as text, the sentence first."""
    parts = [_wrapped(verdict(report)), _wrapped(where(report))]
    if report.counterexample is not None:
        parts += [_wrapped(proof(report)), _table(report), twin(report)]
    if report.seen is not None:
        parts.append(_wrapped(_seen(report)))
    parts += [_wrapped(line) for line in closing(report)]
    return "\n\n".join(part for part in parts if part)


def twin(report: Report) -> str:
    """The timeline of the counterexample, printed."""
    from retryq import (
        geometry,
    )  # not above: the picture is built upon the check, and this is its one way back

    return geometry.text(report.history)  # type: ignore[arg-type]


def proof(report: Report) -> str:
    found = report.counterexample
    assert found is not None
    count = len(found.ops)
    return (
        f"The counterexample has capacity {found.capacity} and {count} operation{'' if count == 1 else 's'}; "
        f"{report.proof}."
    )


def _seen(report: Report) -> str:
    assert report.seen is not None
    capacity, ops, index, given = report.seen
    return (
        f"What was seen once: capacity {capacity}, {'; '.join(map(call, ops))}. "
        f"Operation {index + 1} was answered {answer(given)}."
    )


def closing(report: Report) -> list[str]:
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


def _table(report: Report) -> str:
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


def as_test(report: Report) -> str:
    """A pytest test that fails on this class, and passes once it is mended."""
    found = report.counterexample
    if found is None:
        raise ValueError(f"there is no counterexample to make a test of: {report.name} {report.outcome}")
    name = "".join(letter if letter.isalnum() else "_" for letter in (report.clause or "rules")).lower()
    lines = ["from retryq.conformance import plain", ""]
    if report.home:
        lines += [f'if "{report.name}" not in globals():', f"    from {report.home} import {report.name}", ""]
    lines += [
        "",
        f"def test_{name}():",
        f'    """{_docstring(report)}"""',
        f"    queue = {report.name}({found.capacity})",
    ]
    several = any(op[0] == "new" for op in found.ops)
    lines += ["    queues = [queue]"] if several else []
    held = []
    for number, (op, right) in enumerate(zip(found.ops, report.expected), 1):
        if op[0] == "new":
            lines += [f"    queue = {report.name}({found.capacity})", "    queues.append(queue)"]
        elif op[0] == "use":
            lines.append(f"    queue = queues[{op[1]}]")
        elif isinstance(right, tuple) and report.held:
            lines += [f"    job{number} = {call(op)}", f"    assert plain(job{number}) == {_list(right)}"]
            held.append(f"    assert plain(job{number}) == {_list(right)}  # and it has not changed")
        elif isinstance(right, tuple):
            lines.append(f"    assert plain({call(op)}) == {_list(right)}")
        else:
            lines.append(f"    assert {call(op)} is {right!r}")
    return "\n".join([*lines, *(held if report.changed else [])]) + "\n"


def _list(right: tuple) -> str:
    return f"[{', '.join(map(_quoted, right))}]"


def _docstring(report: Report) -> str:
    clause = report.clause or "answer.kind"
    return f"{clause}: {CLAUSES[clause].sentence}"
