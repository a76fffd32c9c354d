"""Scenarios that travel with the package: the published examples, the rules' witnesses, reports of real systems.

A field report's `source` says which `project` it is about, the `url` to read on, the `clause` of the rules
that it concerns (``"cost"`` is a topic, no clause) and a `summary`. Its outputs are those of a sound queue.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from retryq.scenario import Scenario, parse


def examples() -> tuple[Scenario, ...]:
    """The four published examples, with the outputs they must give.

    >>> [scenario.name for scenario in examples()]
    ['fifo', 'retry fences old attempt', 'in flight capacity', 'cancel keeps id reserved']
    """
    return _read("examples.jsonl")


def field_reports(clause: str | None = None) -> tuple[Scenario, ...]:
    """The reports of real systems, all of them or those that concern one clause.

    >>> len(field_reports())
    40
    >>> [report.source["project"] for report in field_reports("cancel.waiting")]
    ['RQ']
    """
    reports = _read("field-reports.jsonl")
    if clause is None:
        return reports
    return tuple(report for report in reports if report.source and report.source["clause"] == clause)


def witnesses(clause: str) -> tuple[Scenario, ...]:
    """The runs that show one clause, as in ``rules.CLAUSES[clause].witnesses``, as scenarios.

    >>> [scenario.name for scenario in witnesses("capacity.zero")]
    ['capacity.zero: no slot at all', 'capacity.zero: and not for the next one either']
    """
    return tuple(each for each in _read("witnesses.jsonl") if str(each.name).startswith(f"{clause}: "))


@cache
def _read(name: str) -> tuple[Scenario, ...]:
    text = (files("retryq.data") / name).read_text(encoding="utf-8")
    return tuple(parse(line) for line in text.splitlines())
