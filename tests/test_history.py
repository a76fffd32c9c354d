"""A run is data: seek, undo, fork, and a class's own answers beside the rules'."""

import re

import pytest

from retryq import Queue
from retryq.data import examples
from retryq.history import History, run
from retryq.scenario import Scenario


class NeverRefuses(Queue):
    def ack(self, id, attempt):
        super().ack(id, attempt)
        return True


@pytest.fixture
def fenced():
    return run(examples()[1])  # retry fences old attempt


def test_a_run_gives_the_published_results(fenced):
    assert fenced.results == examples()[1].expected
    assert fenced.scenario == Scenario(1, examples()[1].ops, expected=examples()[1].expected)


def test_seek(fenced):
    assert fenced.at(0).current.jobs == ()
    assert [fenced.at(index).current.job("a").attempt for index in range(1, 8)] == [0, 1, 1, 2, 2, 2, 2]
    for outside in (-1, 8):
        with pytest.raises(IndexError, match=f"step must be 0 to 7, got {outside}"):
            fenced.at(outside)


def test_undo_takes_back_and_leaves_the_first_history_alone(fenced):
    shorter = fenced.undo(3)
    assert (len(shorter), len(fenced)) == (4, 7)
    assert shorter.do(("ack", "a", 2)).results[-1] is True
    assert len(fenced.undo(100)) == 0


def test_fork_begins_another_future(fenced):
    fork = fenced.fork(3).do(("cancel", "a")).do(("reserve",))
    assert fork.results == (True, ("a", "A", 1), True, True, None)
    assert fork.steps[:3] == fenced.steps[:3]


def test_do_by_do_is_the_same_as_a_run(fenced):
    history = History.start(1)
    for op in examples()[1].ops:
        history = history.do(list(op))
    assert history == fenced


def test_a_class_answers_beside_the_rules():
    history = run(examples()[1], NeverRefuses)
    assert history.parts_at == 4
    assert (history.results[4], history.answers[4]) == (False, True)
    assert run(examples()[1], Queue).parts_at is None
    assert history.fork(4).parts_at is None


@pytest.mark.parametrize(("scenario", "queue", "said"), [
    (examples()[0], Queue(2), "wants the class itself, as in run(scenario, Queue); this is a Queue"),
    ({"capacity": 1, "ops": []}, Queue, "wants a scenario, such as scenario.validate makes of a dict; this is a dict"),
])  # fmt: skip
def test_a_queue_for_its_class_and_a_dict_for_a_scenario_are_told(scenario, queue, said):
    with pytest.raises(TypeError, match=re.escape(said)):
        run(scenario, queue)


def test_several_queues_in_one_history():
    history = run(Scenario(1, (("enqueue", "a", "A"), ("new",), ("reserve",), ("use", 0), ("reserve",))), Queue)
    assert history.results == (True, None, None, None, ("a", "A", 1))
    assert history.answers == (True, None, None, None, ["a", "A", 1])
    assert [len(history.at(index).queues) for index in range(6)] == [1, 1, 2, 2, 2, 2]
