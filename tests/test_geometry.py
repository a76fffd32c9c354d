"""The layout of a run, and its text twin."""

from __future__ import annotations

import subprocess
import sys

import pytest
import write_snapshots as snapshots
from random_runs import random_run
from reading_timelines import from_history, from_text

from retryq import history
from retryq.geometry import WIDTH, alt, layout, notes, text
from retryq.history import History
from retryq.lanes import Column, Panel
from retryq.rules import CLAUSES
from retryq.scenario import Scenario

LONG = "x-very_long-id-1", "printable ASCII: 32 characters ."
assert len(LONG[0]) == 16 and len(LONG[1]) == 32
WITNESSES = [witness for clause in CLAUSES.values() for witness in clause.witnesses]
RANDOM = [
    random_run(seed, length, queues) for seed in range(8) for length, queues in ((12, 1), (25, 8), (64, 3))
]
LABELS = ["$x$", r"\frac{a}{b}", "<script>", "&amp;", "%s %d", "__a__", "'", '"', "{}^_~#", "  a  b ", ""]


def lookup(ops: list[tuple], capacity: int = 1, answers: tuple | None = None) -> tuple[Column, ...]:
    return layout(History(capacity, history.run(Scenario(capacity, tuple(ops))).steps, answers)).columns


def own(run: History, grid: dict) -> dict:
    """The part of a grid that a text twin prints: each queue in the columns of its own operations."""
    return {key: cell for key, cell in grid.items() if run.steps[key[2]].after.selected == key[0]}


def test_the_text_twin_shows_every_state_place_attempt_and_mark_in_its_lane_and_line() -> None:
    for scenario in (*WITNESSES, *RANDOM):
        run = history.run(scenario)
        assert from_text(text(run)) == own(run, from_history(run)), scenario.name


def test_bars_are_as_long_as_the_state_lasts_and_never_meet_one_like_them() -> None:
    for scenario in RANDOM:
        run = history.run(scenario)
        covered = {}
        for queue, panel in enumerate(layout(run).panels):
            for bar in panel.bars:
                for column in range(bar.first, bar.last + 1):
                    key = (queue, panel.lanes[bar.lane].id, column)
                    assert key not in covered
                    covered[key] = (bar.status, bar.label)
            assert not [
                (one, two)
                for one in panel.bars
                for two in panel.bars
                if one.lane == two.lane and one.last + 1 == two.first and one[3:] == two[3:]
            ]
        assert covered == {key: cell[:2] for key, cell in from_history(run).items() if cell.state}


def test_a_lane_bears_the_payload_that_was_accepted_and_none_where_none_was() -> None:
    ops = [
        ("enqueue", "b", "no room"),
        ("cancel", "z"),
        ("enqueue", "a", "first"),
        ("enqueue", "a", "second"),
    ]
    panel = layout(history.run(Scenario(0, tuple(ops[:2])))).panels[0]
    assert [(lane.id, lane.payload) for lane in panel.lanes] == [("b", None), ("z", None)]
    panel = layout(history.run(Scenario(1, tuple(ops[2:])))).panels[0]
    assert [(lane.id, lane.payload) for lane in panel.lanes] == [("a", "first")]


def test_a_reserve_that_finds_nobody_has_a_lane_of_its_own_below_the_jobs() -> None:
    panel = layout(history.run(Scenario(1, (("reserve",), ("enqueue", "a", "A"))))).panels[0]
    assert [lane.id for lane in panel.lanes] == ["a", "no job"]
    assert [(panel.lanes[mark.lane].id, mark.column, mark.kind) for mark in panel.marks] == [
        ("no job", 0, "refused")
    ]


def slots(panel: Panel) -> list[tuple[int, ...] | None]:
    return [None if use is None else tuple(use) for use in panel.slots]


def test_slots_are_split_into_waiting_in_flight_and_free() -> None:
    ops = (("enqueue", "a", "A"), ("enqueue", "b", "B"), ("reserve",), ("new",), ("use", 0), ("ack", "a", 1))
    first, second = layout(history.run(Scenario(3, ops))).panels
    assert slots(first) == [(1, 0, 2), (2, 0, 1), (1, 1, 1), (1, 1, 1), (1, 1, 1), (1, 0, 2)]
    assert slots(second) == [None, None, None, (0, 0, 3), (0, 0, 3), (0, 0, 3)]


def test_every_refusal_says_why_in_few_words_and_in_full() -> None:
    for scenario in (*WITNESSES, *RANDOM):
        run = history.run(scenario)
        drawn = layout(run)
        told = " ".join(" ".join(notes(drawn)).split())
        for index, (step, column) in enumerate(zip(run.steps, drawn.columns, strict=True)):
            assert column.refused == step.refused == bool(column.hint), scenario.name
            full = f"{index + 1} {' '.join(column.words)}: {step.why} ({step.clause})"
            assert (" ".join(full.split()) in told) == step.refused, full


@pytest.mark.parametrize(
    ("ops", "hint"),
    [
        ([("enqueue", "a", "A"), ("enqueue", "b", "B")], "full"),
        ([("enqueue", "a", "A"), ("enqueue", "a", "A")], "already waiting"),
        ([("enqueue", "a", "A"), ("reserve",), ("enqueue", "a", "A")], "already in flight"),
        ([("enqueue", "a", "A"), ("cancel", "a"), ("enqueue", "a", "A")], "id taken for good"),
        ([("reserve",)], "no job waiting"),
        ([("ack", "a", 0)], "#0 is never valid"),
        ([("ack", "a", 1)], "never accepted"),
        ([("enqueue", "a", "A"), ("ack", "a", 1)], "waiting, not in flight"),
        ([("enqueue", "a", "A"), ("reserve",), ("ack", "a", 1), ("ack", "a", 1)], "already acknowledged"),
        (
            [("enqueue", "a", "A"), ("reserve",), ("retry", "a", 1), ("reserve",), ("ack", "a", 1)],
            "stale: now #2",
        ),
        ([("enqueue", "a", "A"), ("reserve",), ("ack", "a", 2)], "future: now #1"),
        ([("enqueue", "a", "A"), ("reserve",), ("ack", "a", -1)], "negative: now #1"),
        ([("cancel", "a")], "never accepted"),
        ([("enqueue", "a", "A"), ("cancel", "a"), ("cancel", "a")], "already cancelled"),
    ],
)
def test_the_few_words(ops: list[tuple], hint: str) -> None:
    assert lookup(ops)[-1].hint == hint


def test_capacity_nought_is_named_as_such() -> None:
    assert lookup([("enqueue", "a", "A")], capacity=0)[0].hint == "no slots at all"


# ---------------------------------------------------------------------------------------------- the text twin


def test_nothing_is_wider_than_a_page_and_nothing_is_cut() -> None:
    id, payload = LONG
    ids = [id[:-2] + str(number) for number in range(10, 30)]
    run = history.run(Scenario(16, (*(("enqueue", name, payload) for name in ids), *([("reserve",)] * 44))))
    for scenario in (run.scenario, *RANDOM):
        run = history.run(scenario)
        for cursor in (None, 0, len(run) // 2):
            lines = text(run, cursor, "a title " * 30).split("\n")
            assert max(map(len, lines)) <= WIDTH
            assert [line for line in lines if line != line.rstrip()] == []
    assert text(history.run(Scenario(1, (("enqueue", *LONG), ("reserve",))))).count(f'"{payload}"') == 2


def test_a_terminal_of_any_age_can_show_it() -> None:
    for scenario in (*WITNESSES, *RANDOM):
        assert text(history.run(scenario), 1).isascii()


@pytest.mark.parametrize("payload", LABELS)
def test_payloads_are_printed_as_they_are(payload: str) -> None:
    run = history.run(Scenario(1, (("enqueue", "a", payload), ("reserve",))))
    assert text(run).count(f'"{payload}"') == 2


def test_what_would_break_a_line_is_escaped() -> None:
    run = history.run(Scenario(1, (("enqueue", "a\nb", "\t\x1b[31m"), ("reserve",))))
    assert "\\n" in text(run) and "\\t\\x1b[31m" in text(run)
    assert not {"\t", "\x1b"} & set(text(run))


def test_the_cursor_stands_between_what_happened_and_what_is_to_come() -> None:
    run = history.run(Scenario(1, (("enqueue", "a", "A"), ("reserve",), ("ack", "a", 1))))
    lines = text(run, 2).split("\n")
    at = next(index for index, line in enumerate(lines) if line.startswith("-- now: after 2 of 3"))
    assert lines[at - 1].startswith("2  reserve") and lines[at + 1].startswith("3  ack")
    assert "now:" not in text(run).lower() and "Now: after 2 of 3" in text(run, 2)
    assert from_text(text(run, 2)) == from_text(text(run))


@pytest.mark.parametrize("cursor", [-1, 4])
def test_a_cursor_outside_the_run_is_refused(cursor: int) -> None:
    run = history.run(Scenario(1, (("enqueue", "a", "A"), ("reserve",), ("ack", "a", 1))))
    with pytest.raises(IndexError, match="step must be 0 to 3"):
        layout(run, cursor)


def test_where_two_runs_part_both_answers_are_shown() -> None:
    ops = (("enqueue", "a", "A"), ("reserve",), ("ack", "a", 2))
    run = History(1, history.run(Scenario(1, ops)).steps, (True, ["a", "A", 1], True))
    lines = text(run).split("\n")
    assert lines[1] == "Operation 3, ack a #2. The rules: False. Your queue: True"
    assert [line.split("  ")[-1] for line in lines if "<- differs" in line] == ["in flight #1 x"]
    assert "True <- differs" in text(run) and "the rules" in text(run)
    alike = History(1, run.steps, (True, ("a", "A", 1), False))
    assert text(alike) == text(history.run(Scenario(1, ops))), "a class that answers the same needs no column"


@pytest.mark.parametrize(
    ("answer", "shown"),
    [
        (1, "1"),
        ("a", "'a'"),
        (["a", "A", True], "['a', 'A', True]"),
        (("a", "A", 1), 'a "A" #1'),
        (["a", "B", 1], 'a "B" #1'),
        ("x" * 99, "'" + "x" * 36 + "..."),
        (None, "None"),
    ],
)
def test_an_odd_answer_is_shown_as_python_writes_it(answer: object, shown: str) -> None:
    columns = lookup([("enqueue", "a", "A"), ("cancel", "b")], answers=(answer, True))
    assert " ".join(columns[0].own or ()) == shown


def test_the_alternative_tells_the_run_in_sentences() -> None:
    run = history.run(Scenario(1, (("enqueue", "a", "A"), ("new",), ("reserve",), ("use", 0), ("reserve",))))
    assert alt(layout(run, 4)) == (
        'Timeline. Capacity 1, 5 operations. Now: after 4 of 5. 1: enqueue a "A" answers True. '
        "2: new answers None. "
        "3: reserve answers None (no job waiting). 4: use queue 0 answers None. Still to come: "
        '5: reserve answers a "A" #1.'
    )


def test_the_text_twin_needs_the_standard_library_alone() -> None:
    code = (
        "import sys; before = set(sys.modules); import retryq.geometry; new = set(sys.modules) - before; "
        "print([name for name in new if name.partition('.')[0] not in sys.stdlib_module_names | {'retryq'}])"
    )
    answer = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=snapshots.ROOT
    )
    assert answer.stdout.strip() == "[]"


# -------------------------------------------------------------------------------------------------- snapshots


def test_the_text_twin_of_every_witness_is_the_one_that_was_agreed_on() -> None:
    stored = {path.name: path.read_text("utf-8") for path in snapshots.FOLDER.glob("*.txt")}
    now = snapshots.snapshots()
    assert sorted(stored) == sorted(now)
    for name, text_now in now.items():
        assert stored[name] == text_now, (
            f"{name} differs; if that was meant: python tests/write_snapshots.py, and read it"
        )


def test_every_witness_is_in_a_snapshot() -> None:
    everything = "".join(path.read_text("utf-8") for path in snapshots.FOLDER.glob("*.txt"))
    for clause in CLAUSES.values():
        for witness in clause.witnesses:
            assert f"\n{witness.name}: capacity {witness.capacity}, " in everything
