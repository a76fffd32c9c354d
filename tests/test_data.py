"""The scenarios that travel with the package."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import retryq
from retryq import Queue, model
from retryq.data import examples, field_reports
from retryq.rules import CLAUSES
from retryq.scenario import dump, notation, parts_at, run

PACKAGE = Path(retryq.__file__).parent
EVERY = examples() + field_reports()


@pytest.mark.parametrize("scenario", EVERY, ids=lambda scenario: scenario.name)
def test_the_queue_and_the_rules_give_the_expected_outputs(scenario):
    assert parts_at(scenario.expected, run(scenario, Queue)) is None
    steps = model.run(scenario.capacity, scenario.ops)
    assert parts_at(scenario.expected, [notation(step.result) for step in steps]) is None


def test_all_of_them_are_there():
    assert len(examples()) == 4  # SPEC.md publishes four
    assert len(field_reports()) == 40


def test_each_has_a_name_of_its_own():
    names = [scenario.name for scenario in EVERY]
    assert all(names) and len(set(names)) == len(names)


@pytest.mark.parametrize("report", field_reports(), ids=lambda report: report.name)
def test_a_report_says_where_it_comes_from(report):
    assert set(report.source) == {"project", "url", "clause", "summary"}
    assert report.source["url"].startswith("https://")
    assert report.source["clause"] in CLAUSES or report.source["clause"] == "cost"
    assert report.source["project"] and report.name.split(":")[0].split()[0] in report.source["project"]
    assert 10 <= len(report.source["summary"].split()) <= 40
    assert report.source["summary"].endswith(".")


def test_the_reports_of_one_clause():
    chosen = field_reports("retry.tail")
    assert chosen and all(report in field_reports() for report in chosen)
    assert {report.source["clause"] for report in chosen} == {"retry.tail"}
    assert field_reports("no such clause") == ()
    clauses = {report.source["clause"] for report in field_reports()}
    assert sorted(map(dump, field_reports())) == sorted(
        dump(r) for clause in clauses for r in field_reports(clause)
    )


@pytest.mark.parametrize("name, scenarios", [("examples", examples()), ("field-reports", field_reports())])
def test_the_files_hold_one_scenario_a_line_as_dump_writes_it(name, scenarios):
    text = (PACKAGE / "data" / f"{name}.jsonl").read_bytes().decode("ascii")
    assert text.splitlines() == [dump(scenario) for scenario in scenarios]


def test_they_are_found_inside_a_zip_too(tmp_path):
    with zipfile.ZipFile(tmp_path / "kit.zip", "w") as archive:
        for path in PACKAGE.rglob("*"):
            if path.suffix in (".py", ".jsonl"):
                archive.write(path, Path("retryq") / path.relative_to(PACKAGE))
    program = (
        f"import sys; sys.path.insert(0, {str(tmp_path / 'kit.zip')!r})\n"
        "import retryq.data as data\n"
        "assert '.zip' in data.__file__, data.__file__\n"
        "print(len(data.examples()), len(data.field_reports()))"
    )
    done = subprocess.run([sys.executable, "-I", "-c", program], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == (f"{len(examples())} {len(field_reports())}\n", "")
