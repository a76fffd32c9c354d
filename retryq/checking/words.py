"""A check's report in words: what is the matter with a class, and the one answer that shows it."""

from __future__ import annotations

from typing import Any

from retryq.checking.findings import Findings
from retryq.checking.runs import METHODS, Trouble
from retryq.rules import CLAUSES

__all__ = ["answer", "call", "quoted", "sentence", "verdict", "where"]

ASKED = {  # how the check calls each method
    "enqueue": "enqueue(id, payload)",
    "reserve": "reserve()",
    "ack": "ack(id, attempt)",
    "retry": "retry(id, attempt)",
    "cancel": "cancel(id)",
}


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
    return f"queue.{name}({', '.join(map(quoted, arguments))})"


def answer(output: Any) -> str:
    """An output as Python would write it, or what happened instead."""
    if isinstance(output, Trouble):
        return output.text if output.kind != "raised" else f"raised {output.text}"
    if isinstance(output, (list, tuple)):
        return f"({', '.join(map(quoted, output))})"
    return repr(output)


def quoted(value: Any) -> str:
    """A string in double quotes, as the notation writes it."""
    if not isinstance(value, str):
        return repr(value)
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


def verdict(report: Findings) -> str:
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


def sentence(report: Findings) -> str:
    """The report in a sentence or two: what is the matter, and the one answer that shows it."""
    shown = where(report)
    return f"{verdict(report)} {shown}" if shown else verdict(report)


def where(report: Findings) -> str:
    """The one answer that gives the class away."""
    step, index = report.step, report.index
    if step is None or index is None or report.counterexample is None:
        return ""
    given, right = report.actual[index], answer(step.result)
    place = f"In operation {index + 1}, {call(step.op)}," if index else f"Asked {call(step.op)} at once,"
    if report.changed:
        return (
            f"{place} your queue answered rightly, {right}; but after operation {len(report.actual)} that "
            f"very answer reads {answer(given)} (attempt.snapshot: what was answered never changes afterwards)."
        )
    if isinstance(given, Trouble):
        if given.where == "__init__":
            capacity = report.counterexample.capacity
            return f"Made with capacity {capacity}, it {_happened(given, report.name)} (answer.kind)."
        return (
            f"{place} your queue {_happened(given, report.name)}, where the rules say {right} (answer.kind)."
        )
    if report.symptom == "answer.kind":
        allowed = "a job or None" if step.op[0] == "reserve" else "True or False"
        return (
            f"{place} your queue answered {answer(given)}, where the rules say {right} "
            f"(answer.kind: {step.op[0]} answers {allowed}, and nothing else)."
        )
    because = f"{report.symptom}: {_why(report)}"
    return f"{place} your queue answered {answer(given)} where the rules say {right} ({because})."


def _why(report: Findings) -> str:
    """Why the rules answer as they do, as far as it concerns the clause at issue."""
    assert report.step is not None
    op, result = report.step.op, report.step.result
    if report.symptom == "attempt.snapshot" and isinstance(result, tuple):
        return f"{result[0]} was enqueued with the payload {quoted(result[1])}"
    if report.symptom == "isolation.queues" and op[0] not in ("new", "use"):
        return f"this queue has nothing to do with the others; {report.step.why}"
    return report.step.why


def _happened(trouble: Trouble, name: str) -> str:
    """What happened instead of an answer, to complete "your queue ..."; with a hint where a beginner needs
    one."""
    if trouble.kind != "raised":
        return trouble.text
    hint = ""
    if trouble.text.startswith("RecursionError"):
        hint = ": it calls itself without end"
    elif trouble.text.startswith("TypeError") and "argument" in trouble.text:
        hint = f"; the check calls {ASKED.get(trouble.where, f'{name}(capacity)')}"
    return f"raised {trouble.text}{hint}"


def _listed(names: Any) -> str:
    names = list(names)
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _unwritten(report: Findings) -> str:
    lacking = [name for name, text in report.unwritten.items() if text == "missing"]
    raising = [name for name, text in report.unwritten.items() if text != "missing"]
    if set(raising) >= set(METHODS):
        return "none of its five methods is written yet"
    parts = []
    if lacking:
        parts.append(f"there is no method {_listed(lacking)}")
    if raising:
        parts.append(f"{_listed(raising)} {'is' if len(raising) == 1 else 'are'} not written yet")
    return "; ".join(parts)
