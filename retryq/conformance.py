"""Is my queue right? `check` holds a class against every rule and, where it breaks one, finds the shortest
proof.

>>> from retryq import Queue
>>> check(Queue).passed
True

A class is run under `guard`, in stages that each start afresh: first the witnesses of the rules, then
everything in ``checking.plan``. The first fault is made short, then everything shorter is tried, then it gets
the plainest names; and it is reported only if it shows again in a process that has seen nothing else.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

from retryq import model, rules
from retryq.checking.ask import SECONDS, LoadError
from retryq.checking.child import BROKEN, CELLS, KEPT, RAISED, UNTOUCHED
from retryq.checking.findings import OUTCOMES, Explored
from retryq.checking.inquiry import Inquiry
from retryq.checking.plan import explored
from retryq.checking.report import Report
from retryq.checking.runs import Odd, Trouble, answer_of, revive
from retryq.checking.shrink import Run
from retryq.checking.verdict import symptom
from retryq.rules import CLAUSES
from retryq.scenario import Scenario

__all__ = ["OUTCOMES", "Explored", "LoadError", "Odd", "Report", "Trouble", "check", "examine", "plain"]

plain = answer_of


def check(queue_class: Callable[[int], Any], clauses: str | Iterable[str] | None = None) -> Report:
    """Does ``queue_class(capacity)`` make queues that keep every rule?

    ``queue_class`` is any class with the five methods. A reservation may be a `Job`, a tuple of three, or
    anything with ``.id``, ``.payload`` and ``.attempt``. ``clauses`` picks the clauses to look at, by name or
    pattern such as ``"fifo.*"``: a method that is not written yet (it raises `NotImplementedError`, or is not
    there) then hides nothing that can be judged without it. Nothing that the class does is raised here.

    Raises ``TypeError`` for something that is no class, ``ValueError`` for a pattern that matches no clause.
    """
    names = tuple(CLAUSES) if clauses is None else rules.expand(clauses)
    if not callable(queue_class):
        raise TypeError(
            f"check wants the class itself, as in check(MyQueue); this is an object of the type "
            f"{type(queue_class).__name__}"
        )
    name = str(getattr(queue_class, "__name__", type(queue_class).__name__))
    report = examine(lambda: queue_class, name, names, home=_home(queue_class, name))
    return replace(report, queue_class=queue_class)


def examine(
    load: Callable[[], Any],
    name: str,
    names: Sequence[str] = tuple(CLAUSES),
    seconds: float = SECONDS,
    home: str = "",
    loading: float = 0.0,
) -> Report:
    """The check itself. ``load`` answers the class; it is called under guard, and once for each stage.

    ``seconds`` is the most that it may take, by the clock on the wall. ``loading`` is how many seconds
    ``load`` may take, where it imports a stranger's file. Raises `LoadError` where ``load`` fails.
    """
    inquiry = Inquiry(load, name, tuple(names), seconds)
    if loading:
        inquiry.try_loading(loading)
    else:
        inquiry.loaded = True  # it is there already
    run = inquiry.run()
    about: dict[str, Any] = {
        "name": name,
        "home": home,
        "printed": inquiry.printed,
        "unwritten": inquiry.unwritten(),
    }
    ended_by = "The first fault" if run is not None else "The lack of time" if inquiry.too_slow else ""
    if run is None and inquiry.unsure:
        ended_by = "A fault that came and went"
    about["explored"] = explored(
        inquiry.runs, inquiry.calls, inquiry.done, bool(about["unwritten"]), ended_by
    )
    return _with_counterexample(inquiry, run, about) if run is not None else _without(inquiry, about)


def _without(inquiry: Inquiry, about: dict[str, Any]) -> Report:
    broken, clauses = _verdicts(inquiry)
    nothing = dict.fromkeys(clauses, "not reached")
    if inquiry.too_slow:
        return Report(outcome="ran too long", clauses=nothing, **about)
    if inquiry.board.cells[UNTOUCHED]:
        return Report(outcome="not attempted", clauses=nothing, **about)
    if inquiry.unsure:
        seen = next(
            ((capacity, ops, at[0], revive(at[1])) for capacity, ops, _, at in inquiry.unsure if at), None
        )
        return Report(outcome="not repeatable", clauses=nothing, seen=seen, **about)
    unfinished = (
        bool(about["unwritten"]) if len(clauses) == len(CLAUSES) else "not reached" in clauses.values()
    )
    return Report(
        outcome="not attempted" if unfinished else "passes", broken=broken, clauses=clauses, **about
    )


def _with_counterexample(inquiry: Inquiry, run: Run, about: dict[str, Any]) -> Report:
    capacity, ops = run
    index, output, _, changed = inquiry.parting
    steps = model.run(capacity, ops)
    given = inquiry.outputs or [
        list(step.result) if isinstance(step.result, tuple) else step.result for step in steps
    ]
    decides = symptom(steps[index], output, changed)
    if len(steps[index].before.queues) > 1 and decides != "answer.kind":
        decides = "isolation.queues"  # no operation can be left out, so the other queue has a part in it
    broken, clauses = _verdicts(inquiry)
    if not broken and decides in clauses:
        clauses[decides] = "broken"
    kind = output.kind if isinstance(output, Trouble) else "disagrees"
    return Report(
        outcome="exited" if kind == "crashed" else kind,
        counterexample=Scenario(capacity, ops),
        expected=[step.result for step in steps],
        actual=[*given[:index], output, *given[index + 1 :]],
        index=index,
        symptom=decides,
        clause=rules.most_general(broken) or decides,
        broken=broken,
        clauses=clauses,
        proof=inquiry.proof,
        changed=changed,
        held=inquiry.keep,
        **about,
    )


def _verdicts(inquiry: Inquiry) -> tuple[frozenset[str], dict[str, str]]:
    """The clauses of which a witness fails, and of each clause whether it is kept, broken or not reached."""
    cells = inquiry.board.cells
    shown: dict[str, set[int]] = {name: set() for name in inquiry.names}
    for number, (name, _) in enumerate(inquiry.witnesses):
        shown[name].add(cells[CELLS + number])
    if cells[RAISED] and "answer.kind" in shown:
        shown["answer.kind"].add(BROKEN)
    broken = frozenset(name for name, found in shown.items() if BROKEN in found)
    return broken, {
        name: "broken" if name in broken else "kept" if KEPT in found else "not reached"
        for name, found in shown.items()
    }


def _home(queue_class: Any, name: str) -> str:
    """The module from which this very class can be imported, if there is one."""
    module = getattr(queue_class, "__module__", None)
    if not isinstance(module, str) or module == "__main__":
        return ""
    return module if getattr(sys.modules.get(module), name, None) is queue_class else ""
