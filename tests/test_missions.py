"""Every mission of a lesson can be completed, a near miss does not tick it, and a teacher can write their own."""

from __future__ import annotations

import pytest

from retryq import history, model
from retryq import mission_signs as signs
from retryq.history import History
from retryq.missions import LESSON_MISSIONS, Mission, for_lesson, gather
from retryq.playing.session import Session
from retryq.rules import LESSONS
from retryq.scenario import Scenario, validate_op


def ops(line: str) -> list[tuple]:
    """Operations written as words: ``enqueue a A, reserve, ack a 1``."""
    found: list[tuple] = []
    for words in filter(None, map(str.strip, line.split(","))):
        name, *arguments = words.split(" ")
        numbers = name in ("ack", "retry", "use")
        found.append((name, *(int(each) if numbers and each.isdigit() else each for each in arguments)))
    return found


# For each mission, in order: the capacity, a run whose last operation reaches it, and a near miss that never does.
RUNS = {
    "01-first-in-first-out": [
        (2, "enqueue a A, enqueue b B, reserve, reserve", "enqueue a A, enqueue b B, reserve"),
        (2, "enqueue a A, reserve, reserve", "reserve, enqueue a A, reserve, ack a 1, reserve"),
        (2, "enqueue b B, enqueue a A, reserve", "enqueue a A, enqueue b B, reserve"),
    ],
    "02-acknowledge": [
        (1, "enqueue a A, reserve, ack a 1", "enqueue a A, ack a 1, reserve"),
        (2, "enqueue a A, enqueue b B, reserve, reserve, ack b 1",
            "enqueue a A, enqueue b B, reserve, reserve, ack a 1"),
        (1, "enqueue a A, ack a 1", "enqueue a A, reserve, ack a 2"),
        (1, "enqueue a A, reserve, ack a 1, ack a 1", "enqueue a A, reserve, ack a 1, retry a 1, ack b 1"),
    ],
    "03-capacity": [
        (1, "enqueue a A, reserve, enqueue b B", "enqueue a A, enqueue b B, reserve"),
        (2, "enqueue a A, enqueue b B, reserve, reserve", "enqueue a A, reserve, enqueue b B"),
        (1, "enqueue a A, enqueue b B, cancel a, enqueue c C", "enqueue a A, cancel a, enqueue b B, enqueue c C"),
        (0, "enqueue a A", "reserve, ack a 1, cancel a"),
    ],
    "04-retry": [
        (2, "enqueue a A, enqueue b B, reserve, retry a 1", "enqueue a A, reserve, retry a 1, enqueue b B"),
        (1, "enqueue a A, reserve, retry a 1, reserve, retry a 2, reserve, ack a 3",
            "enqueue a A, reserve, retry a 1, reserve, ack a 3, ack a 2"),
        (1, "enqueue a A, reserve, retry a 1, enqueue b B", "enqueue a A, reserve, enqueue b B, retry a 1"),
    ],
    "05-fencing": [
        (1, "enqueue a A, reserve, retry a 1, reserve", "enqueue a A, reserve, retry a 1, ack a 1"),
        (1, "enqueue a A, reserve, retry a 1, reserve, ack a 1, ack a 2",
            "enqueue a A, reserve, ack a 2, ack a 1"),
        (1, "enqueue a A, reserve, ack a 0", "enqueue a A, ack a 0, reserve, ack a 1, ack a 0"),
        (1, "enqueue a A, reserve, retry a 2", "enqueue a A, reserve, retry a 1, reserve, ack a 1"),
    ],
    "06-cancel": [
        (3, "enqueue a A, enqueue b B, enqueue c C, cancel b, reserve, reserve",
            "enqueue a A, enqueue b B, enqueue c C, cancel b, cancel a, reserve, enqueue d D, cancel d, reserve"),
        (1, "enqueue a A, reserve, cancel a, ack a 1", "enqueue a A, cancel a, ack a 1"),
        (1, "enqueue a A, cancel a, cancel a", "enqueue a A, reserve, ack a 1, cancel a, cancel b"),
    ],
    "07-identity": [
        (1, "enqueue a A, cancel a, enqueue a B", "enqueue a A, enqueue a B, cancel a"),
        (2, "enqueue a A, enqueue A A", "enqueue a A, cancel a, enqueue A A"),
        (2, "enqueue a A, enqueue a B", "enqueue a A, enqueue a A"),
        (1, "enqueue a A, enqueue b B, cancel a, enqueue b B", "enqueue a A, enqueue b B, cancel a, enqueue c C"),
    ],
    "08-isolation": [
        (1, "enqueue a A, new, enqueue a A", "enqueue a A, cancel a, new, enqueue a A"),
        (1, "enqueue a A, new, enqueue b B", "enqueue a A, new, use 0, enqueue b B"),
        (1, "enqueue a A, reserve, new, enqueue a A, reserve, retry a 1, reserve",
            "enqueue a A, reserve, new, enqueue a A, reserve"),
    ],
}
CASES = [(lesson, index) for lesson, missions in LESSON_MISSIONS.items() for index in range(len(missions))]


def test_each_lesson_has_two_to_four_missions_and_each_of_them_a_run_here():
    assert tuple(LESSON_MISSIONS) == LESSONS
    for lesson, missions in LESSON_MISSIONS.items():
        assert 2 <= len(missions) <= 4
        assert len(RUNS[lesson]) == len(missions)
        assert all(mission.hint and mission.goal.endswith(".") for mission in missions)


@pytest.mark.parametrize("lesson, index", CASES)
def test_the_last_operation_of_the_run_ticks_the_mission_and_nothing_before_it(lesson, index):
    capacity, run, _ = RUNS[lesson][index]
    session = Session(capacity, missions=lesson)
    *before, last = ops(run)
    for op in before:
        session.do(op)
    assert index not in session.reached, "it was ticked too early"
    told = session.do(last)
    assert index in session.reached
    assert f"Mission reached: {session.missions[index].goal}" in str(told)


@pytest.mark.parametrize("lesson, index", CASES)
def test_a_near_miss_does_not_tick_the_mission(lesson, index):
    capacity, _, miss = RUNS[lesson][index]
    session = Session(capacity, missions=lesson)
    for op in ops(miss):
        session.do(op)
    assert index not in session.reached
    assert not session.missions[index].reached_in(session.history)


@pytest.mark.parametrize("lesson, index", CASES)
def test_no_operation_of_the_run_can_be_left_out(lesson, index):
    capacity, run, _ = RUNS[lesson][index]
    mission, whole = LESSON_MISSIONS[lesson][index], ops(run)
    assert mission.reached_in(history.run(Scenario(capacity, tuple(whole))))
    for left_out in range(len(whole)):
        rest = whole[:left_out] + whole[left_out + 1:]
        made = 1
        try:
            for op in rest:
                validate_op(op, made)
                made += op[0] == "new"
        except ValueError:
            continue  # it uses a queue that would never have been made
        assert not mission.reached_in(History(capacity, model.run(capacity, rest)))


def test_a_teacher_writes_a_mission_in_one_line():
    session = Session(1, missions=[Mission("Be turned away by a full queue.", "capacity.full"),
                                   Mission("Do three operations.", lambda run: len(run) == 3), "02-acknowledge"])
    assert len(session.missions) == 2 + len(for_lesson("02-acknowledge"))
    session.do(["enqueue", "a", "A"])
    session.do(["enqueue", "b", "B"])
    assert session.reached == {0}
    session.do(["reserve"])
    assert session.reached == {0, 1}


@pytest.mark.parametrize("run, reached", [
    ("enqueue a A, enqueue b B, enqueue c C, cancel b", True),
    ("enqueue a A, cancel a", False),  # the only one
    ("enqueue a A, enqueue b B, enqueue c C, cancel a", False),  # the first
    ("enqueue a A, enqueue b B, enqueue c C, cancel c", False),  # the last
    ("enqueue a A, enqueue b B, enqueue c C, reserve, cancel b", False),  # a is no longer in line
    ("enqueue a A, enqueue b B, enqueue c C, reserve, reserve, reserve, cancel b", False),
])
def test_the_middle_of_the_line_has_a_neighbour_on_both_sides(run, reached):
    session = Session(6, missions=[Mission("Cancel one in the middle.", signs.left_from_the_middle)])
    for op in ops(run):
        session.do(op)
    assert (session.reached == {0}) is reached


def test_a_mission_that_waits_for_nothing_known_is_refused():
    with pytest.raises(ValueError, match="'fence.exakt', and no clause has that name"):
        Mission("Get it.", "fence.exakt")
    with pytest.raises(ValueError, match="no lesson named '3'.*03-capacity"):
        gather("3")
    with pytest.raises(TypeError, match="got a int"):
        gather([3])  # type: ignore[list-item]


def test_a_mission_that_breaks_is_told_and_the_lab_goes_on():
    session = Session(1, missions=[Mission("Divide.", lambda run: 1 / 0), Mission("Get in.", "capacity.room")])
    told = session.do(["enqueue", "a", "A"])
    assert "The mission 'Divide.' cannot be judged: ZeroDivisionError" in str(told)
    assert session.reached == {1}


def test_what_is_opened_ticks_nothing_but_the_same_run_played_does():
    loaded = Session("in flight capacity", missions="03-capacity")
    assert loaded.reached == frozenset()
    played = Session(1, missions="03-capacity")
    for op in loaded.history.ops:
        played.do(op)
    assert {0, 1, 2} <= played.reached


def test_a_mission_stays_ticked_when_its_operation_is_taken_back():
    session = Session(0, missions="03-capacity")
    session.do(["enqueue", "a", "A"])
    session.undo()
    assert session.reached == {3}
    assert len(session.history) == 0


def test_a_hint_comes_after_a_while_and_goes_when_a_mission_is_reached():
    session = Session(2, missions="05-fencing")
    hint = session.missions[0].hint
    for _ in range(5):
        session.do(["reserve"])
        assert session.hint == ""
    session.do(["reserve"])
    assert session.hint == hint
    for op in ops("enqueue a A, reserve, retry a 1, reserve"):
        session.do(op)
    assert session.reached == {0}
    assert session.hint == ""
