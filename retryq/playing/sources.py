"""What the lab can open: a scenario in any form, a published example or a witness by name, a saved lab, a report."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from retryq import data
from retryq.grammar import shown
from retryq.history import History
from retryq.playing.beside import NOT_ASKED
from retryq.rules import CLAUSES, Witness
from retryq.scenario import Scenario, ScenarioError, parse, validate

__all__ = ["Source", "names", "open_source", "save_text"]


@dataclass(frozen=True)
class Source:
    """A scenario to open: under which name, at which step (``None``: the last), and which missions were reached.

    Of a report also: what the class answered, the class itself where it is at hand, and the report's sentence.
    """

    scenario: Scenario
    name: str
    cursor: int | None = None
    reached: tuple[int, ...] = ()
    answers: tuple | None = None
    queue_class: Any = None
    sentence: str = ""


def names() -> dict[str, tuple[str, ...]]:
    """Everything that can be opened by its name, in groups: the published examples, and the witnesses of each clause.

    >>> names()["fence.zero"][:2]
    ('fence.zero: attempt 0 cannot acknowledge', 'fence.zero: attempt 0 cannot retry')
    """
    groups = {"published examples": tuple(str(example.name) for example in data.examples())}
    for name, clause in CLAUSES.items():
        groups[name] = tuple(f"{name}: {witness.name}" for witness in clause.witnesses)
    return groups


def open_source(source: object) -> Source:
    """Find the scenario that ``source`` is or names, or raise `ScenarioError`.

    A `Scenario`, a `History`, a witness of a rule, a dict in the notation, its JSON as text (a saved lab's too), the
    name of a published example or of a field report, a clause (its first witness), ``"clause: name of a witness"``, or
    a check's report: its counterexample, at the operation where the class and the rules part.

    >>> open_source("fence.zero").name
    'fence.zero: attempt 0 cannot acknowledge'
    """
    if isinstance(source, (str, bytes)):
        return _from_text(source)
    if hasattr(source, "counterexample"):
        return _from_report(source)
    if isinstance(source, History):
        source = source.scenario
    if isinstance(source, Witness):
        source = Scenario(source.capacity, source.ops, source.name, source.expected)
    if isinstance(source, Scenario):
        fields = {key: getattr(source, key) for key in ("name", "capacity", "ops", "expected", "source")}
        source = {key: value for key, value in fields.items() if value is not None}
    return _from_scenario(validate(source))


def save_text(scenario: Scenario, cursor: int, reached: tuple[int, ...]) -> str:
    """A lab as one short line: the scenario in the notation, with the lab's place in its ``source``.

    >>> save_text(Scenario(1, (("reserve",),)), 1, (0,))
    '{"capacity":1,"ops":[["reserve"]],"source":{"lab":{"cursor":1,"reached":[0]}}}'
    """
    lab = {"lab": {"cursor": cursor, "reached": list(reached)}}
    value = json.loads(replace(scenario, expected=None, source=lab).to_json())
    return json.dumps(value, separators=(",", ":"))


def _from_report(report: Any) -> Source:
    own = getattr(report, "queue_class", None)
    found = report.counterexample
    if found is None:
        return Source(Scenario(2, ()), "the report", queue_class=own,
                      sentence=f"{report.sentence} There is no counterexample to open.")
    answers = (*report.actual, *[NOT_ASKED] * (len(found.ops) - len(report.actual)))
    return Source(found, f"the counterexample of {report.name}", report.index + 1, (), answers, own, report.sentence)


def _from_text(text: str | bytes) -> Source:
    if isinstance(text, bytes) or "{" in text or "\n" in text.strip() or not text.strip():
        return _from_scenario(parse(text))
    wanted = text.strip()
    if wanted in CLAUSES:
        return _from_scenario(data.witnesses(wanted)[0])
    clause = wanted.partition(": ")[0]
    for scenario in (*data.examples(), *(data.witnesses(clause) if clause in CLAUSES else data.field_reports())):
        if scenario.name == wanted:
            return _from_scenario(scenario)
    examples = ", ".join(str(example.name) for example in data.examples())
    raise ScenarioError(f"no run is named {shown(wanted)}; a name is a published example ({examples}) "
                        "or a clause, whose witness it opens, and anything else must be a scenario in JSON")


def _from_scenario(scenario: Scenario) -> Source:
    name = scenario.name or "the scenario"
    lab: Any = (scenario.source or {}).get("lab")
    if not isinstance(lab, Mapping):
        return Source(scenario, name)
    cursor, reached = lab.get("cursor"), lab.get("reached", [])
    if type(cursor) is not int or not 0 <= cursor <= len(scenario.ops):
        raise ScenarioError(f"source.lab.cursor: must be an integer 0-{len(scenario.ops)}, got {shown(cursor)}")
    if not isinstance(reached, list) or not all(type(index) is int and index >= 0 for index in reached):
        raise ScenarioError(f"source.lab.reached: must be a list of missions' numbers, got {shown(reached)}")
    return Source(scenario, "the saved lab", cursor, tuple(reached))
