"""Which clause is at issue where a queue and the rules part, and which clauses a witness shows to be
broken."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from retryq import rules
from retryq.checking.runs import Odd, Trouble
from retryq.model import Step
from retryq.rules import Clause, Witness

__all__ = ["breaks", "symptom"]


def symptom(step: Step, output: Any, changed: bool = False) -> str:
    """The clause that decides what the right answer was; of a reservation, the clause of the part that is
    wrong."""
    reserve = step.op[0] == "reserve"
    if changed:
        return "attempt.snapshot"
    if isinstance(output, (Trouble, Odd)) or not (
        output is None or isinstance(output, list) if reserve else isinstance(output, bool)
    ):
        return "answer.kind"
    if not isinstance(output, list):
        return step.clause
    id, _, attempt = output
    if type(id) is not str or type(attempt) is not int:
        return "answer.kind"
    if not isinstance(step.result, tuple) or id != step.result[0]:
        return step.clause
    if attempt != step.result[2]:
        return "attempt.first" if step.result[2] == 1 else "attempt.next"
    return "attempt.snapshot"


def breaks(clause: Clause, witness: Witness, outputs: Sequence[Any], changed: bool) -> bool:
    """Whether these outputs fail a witness. Where something was raised, the answer counts as the opposite of
    right."""
    if changed and clause.name == "attempt.snapshot":
        return True
    if clause.compares == "kind" and any(isinstance(output, (Trouble, Odd)) for output in outputs):
        return True
    return rules.fails(
        clause, witness, [_stands_for(*pair) for pair in zip(witness.expected, outputs, strict=True)]
    )


def _stands_for(right: Any, output: Any) -> Any:
    if isinstance(output, Odd):
        return output.like
    return right is not True if isinstance(output, Trouble) else output
