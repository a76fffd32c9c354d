"""A check's findings told: in a sentence, as text, as a page, as JSON and as a test to keep."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from retryq.checking.findings import Findings
from retryq.checking.page import html
from retryq.checking.runs import Odd, Trouble
from retryq.checking.text import as_test, text
from retryq.checking.words import sentence

__all__ = ["Report"]


@dataclass(frozen=True, repr=False)
class Report(Findings):
    __doc__ = Findings.__doc__

    @property
    def sentence(self) -> str:
        """The report in one sentence or two."""
        return sentence(self)

    def as_test(self) -> str:
        """A pytest test to keep: it fails on this class, and passes once the class is mended.

        ``ValueError`` where there is no counterexample to make a test of.
        """
        return as_test(self)

    def as_json(self) -> dict[str, Any]:
        """The report as plain JSON data."""
        found = self.counterexample
        return {
            "name": self.name,
            "passed": self.passed,
            "outcome": self.outcome,
            "sentence": self.sentence,
            "counterexample": found and json.loads(found.to_json()),
            "expected": [_jsonable(output) for output in self.expected],
            "actual": [_jsonable(output) for output in self.actual],
            "index": self.index,
            "symptom": self.symptom,
            "clause": self.clause,
            "broken": [name for name in self.clauses if name in self.broken],
            "clauses": dict(self.clauses),
            "proof": self.proof,
            "explored": {
                "runs": self.explored.runs,
                "operations": self.explored.operations,
                "words": self.explored.words,
            },
        }

    def to_json(self) -> str:
        """One line of JSON."""
        return json.dumps(self.as_json())

    def __str__(self) -> str:
        return text(self)

    def __repr__(self) -> str:
        about = f", {self.clause}" if self.clause else ""
        return f"<Report {self.name}: {self.outcome}{about}>"

    def _repr_html_(self) -> str:
        return html(self)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return {"text/plain": str(self), "text/html": self._repr_html_()}


def _jsonable(output: Any) -> Any:
    if isinstance(output, Trouble):
        return {output.kind: output.text}
    if isinstance(output, Odd):
        return {"odd": output.text}
    return [_jsonable(part) for part in output] if isinstance(output, (list, tuple)) else output
