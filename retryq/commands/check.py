"""`python -m retryq check MODULE:CLASS FILE:CLASS FOLDER:CLASS ...`: is each of these queues right?"""

from __future__ import annotations

import csv
import importlib
import importlib.util
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from types import ModuleType
from typing import Any, NamedTuple

from retryq import rules
from retryq.checking.ask import FIRST, SECONDS
from retryq.checking.plan import plan
from retryq.commands import submissions
from retryq.conformance import LoadError, Report, examine

__all__ = ["COLUMNS", "check_targets", "loader"]

SOME_FAIL, SOME_NOT_LOADED = 1, 2
COLUMNS = (
    "target", "outcome", "passed", "clause", "symptom", "broken", "kept", "clauses", "operations", "proof",
    "counterexample", "sentence",
)  # fmt: skip


class Result(NamedTuple):
    """What became of one target: a report, or the sentence that says why it could not be loaded."""

    target: str
    report: Report | None
    problem: str = ""


def check_targets(
    targets: Sequence[str],
    *,
    jobs: int = 1,
    form: str = "text",
    clauses: Iterable[str] = (),
    seconds: float | None = None,
) -> int:
    """Check every target in order, printing each result as soon as it and all before it are there.

    A target is ``MODULE:CLASS``, ``FILE.py:CLASS``, ``FILE.ipynb:CLASS``, or ``FOLDER:CLASS`` for every such file in
    it. ``form`` is "text", "json" (a line each) or "csv" (a row
    each). Answers the exit status: 0 all pass, 1 some do not, 2 some could not be loaded.
    """
    try:
        names = rules.expand(list(clauses)) if clauses else tuple(rules.CLAUSES)
    except ValueError as error:
        print(f"--clauses: {error}", file=sys.stderr)
        return SOME_NOT_LOADED
    tell = {"text": _tell_text, "json": _tell_json, "csv": _tell_csv}[form]
    if form == "csv":
        csv.writer(sys.stdout, lineterminator="\n").writerow(COLUMNS)
    targets = submissions.expand(targets)
    status, passed = 0, 0
    for number, result in enumerate(_results(targets, jobs, partial(_check, names=names, seconds=seconds))):
        tell(result, number, len(targets))
        sys.stdout.flush()
        passed += result.report is not None and result.report.passed
        status = max(status, SOME_NOT_LOADED if result.report is None else 0 if result.report.passed else SOME_FAIL)
    if form == "text" and len(targets) > 1:
        print(f"\n{passed} of {len(targets)} pass.")
    return status


def _results(targets: Sequence[str], jobs: int, work: Callable[[str], Result]) -> Iterator[Result]:
    if jobs == 1 or len(targets) == 1:
        yield from map(work, targets)
        return
    plan()  # made once, before the workers are
    with ProcessPoolExecutor(min(jobs, len(targets))) as pool:
        try:
            yield from pool.map(work, targets)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _check(target: str, names: Sequence[str], seconds: float | None) -> Result:
    try:
        load, name = loader(target)
        return Result(target, examine(load, name, names, seconds or SECONDS, loading=FIRST))
    except LoadError as error:
        return Result(target, None, f"{target}: {error}")


def loader(target: str) -> tuple[Callable[[], Any], str]:
    """What loads a target, and the name of its class. Nothing is imported yet: that is done under guard.

    Raises `LoadError` where the target is of no such form, or its file is not there.
    """
    place, colon, name = target.rpartition(":")
    if not colon or not place or not name.isidentifier():
        raise LoadError("a target is MODULE:CLASS, FILE.py:CLASS, FILE.ipynb:CLASS or FOLDER:CLASS")
    if os.path.isdir(place) and not os.path.exists(os.path.join(place, "__init__.py")):
        raise LoadError(f"there is no {' or '.join(submissions.ENDINGS)} file in {place}")
    if not place.endswith(submissions.ENDINGS):
        return partial(_from_module, place, name), name
    if not os.path.isfile(place):
        raise LoadError(f"there is no file {place}")
    return partial(_from_file if place.endswith(".py") else _from_notebook, place, name), name


def _from_module(module: str, name: str) -> Any:
    return _class(importlib.import_module(module), name)


def _from_file(path: str, name: str) -> Any:
    """Import a file by its path; what lies beside it can be imported by it."""
    module_name = os.path.splitext(os.path.basename(path))[0]
    sys.path.insert(0, os.path.dirname(os.path.abspath(path)))
    sys.dont_write_bytecode = True
    spec = importlib.util.spec_from_file_location(module_name, path)
    assert spec is not None and spec.loader is not None, "a path that ends in .py has a loader"
    module = importlib.util.module_from_spec(spec)
    sys.modules[module_name] = module
    spec.loader.exec_module(module)
    return _class(module, name)


def _from_notebook(path: str, name: str) -> Any:
    """Make the class out of a notebook's cells; what lies beside it can be imported by it."""
    with open(path, encoding="utf-8") as file:
        source = submissions.definition(file.read(), name)
    sys.path.insert(0, os.path.dirname(os.path.abspath(path)))
    sys.dont_write_bytecode = True
    module = sys.modules["submission"] = ModuleType("submission")
    exec(compile(source, path, "exec"), module.__dict__)  # noqa: S102 (what import does with a file)
    return _class(module, name)


def _class(module: Any, name: str) -> Any:
    found = getattr(module, name)
    if not callable(found):
        raise TypeError(f"{name} is no class but an object of the type {type(found).__name__}")
    return found


# How a result is told.


def _tell_text(result: Result, number: int, count: int) -> None:
    if count > 1:
        print(f"{'' if number == 0 else chr(10)}== {result.target}")
    if result.report is None:
        print(result.problem, file=sys.stderr)
        return
    print(result.report)


def _tell_json(result: Result, number: int, count: int) -> None:
    told = {"outcome": "not loaded", "passed": False, "sentence": result.problem}
    print(json.dumps({"target": result.target, **(result.report.as_json() if result.report else told)}))


def _tell_csv(result: Result, number: int, count: int) -> None:
    report = result.report
    row: dict[str, Any] = {"target": result.target, "outcome": "not loaded", "sentence": result.problem}
    if report is not None:
        found = report.counterexample
        row |= {
            "outcome": report.outcome,
            "clause": report.clause or "",
            "symptom": report.symptom or "",
            "broken": " ".join(name for name in report.clauses if name in report.broken),
            "kept": sum(value == "kept" for value in report.clauses.values()),
            "clauses": len(report.clauses),
            "operations": len(found.ops) if found else "",
            "proof": report.proof,
            "counterexample": found.to_json() if found else "",
            "sentence": report.sentence,
        }
    row["passed"] = "yes" if report is not None and report.passed else "no"
    csv.DictWriter(sys.stdout, COLUMNS, restval="", lineterminator="\n").writerow(row)
