"""The sound queues that other tests rely on are sound, and so is the one that broken ones are made from."""

import pytest
from random_runs import random_run
from sound_queues import SOUND

from retryq import Queue, model, rules, zoo
from retryq.scenario import parts_at, run

RUNS = [random_run(seed) for seed in range(120)]
QUEUES = (Queue, zoo.SimpleQueue, *SOUND)


@pytest.mark.parametrize("queue_class", QUEUES, ids=lambda each: each.__name__)
def test_a_sound_queue_answers_as_the_rules_do(queue_class):
    for scenario in RUNS:
        index = parts_at(scenario.expected, run(scenario, queue_class))
        assert index is None, f"{scenario.name}: parts at operation {index}, {scenario.ops[index]}"


def test_the_random_runs_show_every_clause():
    """Otherwise agreement on them would say little."""
    shown = {name for each in RUNS for step in model.run(each.capacity, each.ops) for name in step.clauses}
    assert set(rules.CLAUSES) - shown == {"answer.kind"}  # which every answer shows, so no step names it
