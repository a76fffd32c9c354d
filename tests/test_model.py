"""The executable specification: which clause decides, and the words that say why."""

import pytest

from retryq import model


def last(capacity, *ops):
    return model.run(capacity, ops)[-1]


RESERVED = (("enqueue", "a", "A"), ("reserve",))
RETRIED = (*RESERVED, ("retry", "a", 1), ("reserve",))

DECISIONS = [
    ("accepted: 1 of 2 slots was free, and b joins the tail at place 2", "capacity.room",
     2, ("enqueue", "a", "A"), ("enqueue", "b", "B")),
    ("refused: a was accepted before and is waiting; that first job stays as it is", "identity.duplicate",
     1, ("enqueue", "a", "A"), ("enqueue", "a", "B")),
    ("refused: a was accepted before and is cancelled; its id stays taken for good", "identity.forever",
     1, ("enqueue", "a", "A"), ("cancel", "a"), ("enqueue", "a", "A")),
    ("refused: all 2 slots are taken: 1 waiting, 1 in flight; the id c is not taken by this", "capacity.full",
     2, *RESERVED, ("enqueue", "b", "B"), ("enqueue", "c", "C")),
    ("refused: capacity is 0, so there is no slot to have", "capacity.zero", 0, ("enqueue", "a", "A")),
    ("a is the first of 2 in line; attempt 1: its first reservation", "fifo.head",
     2, ("enqueue", "a", "A"), ("enqueue", "b", "B"), ("reserve",)),
    ("a is the only job in line; attempt 2: reservation 2 of this job", "fifo.head", 1, *RETRIED),
    ("missing: no job is waiting (1 in flight)", "fifo.missing", 1, *RESERVED, ("reserve",)),
    ("missing: no job is waiting", "fifo.missing", 1, ("reserve",)),
    ("done: attempt 1 is the current attempt of a; its slot is free, 0 of 1 taken now", "ack.completes",
     1, *RESERVED, ("ack", "a", 1)),
    ("given back: attempt 1 is the current attempt of a; it joins the tail at place 1 and keeps its slot",
     "retry.tail", 1, *RESERVED, ("retry", "a", 1)),
    ("refused: attempt 1 is stale, the current attempt of a is 2", "fence.exact", 1, *RETRIED, ("ack", "a", 1)),
    ("refused: attempt 3 is a future one, the current attempt of a is 2", "fence.exact",
     1, *RETRIED, ("retry", "a", 3)),
    ("refused: attempt -1 is negative, the current attempt of a is 2", "fence.exact",
     1, *RETRIED, ("ack", "a", -1)),
    ("refused: attempt 0 is never valid; the first reservation is attempt 1", "fence.zero",
     1, *RETRIED, ("ack", "a", 0)),
    ("refused: attempt 0 is never valid; the first reservation is attempt 1", "fence.zero", 1, ("ack", "z", 0)),
    ("refused: z was never accepted", "fence.in-flight", 1, ("retry", "z", 1)),
    ("refused: a is waiting, not in flight", "fence.in-flight", 1, ("enqueue", "a", "A"), ("ack", "a", 9)),
    ("refused: a is acknowledged, not in flight", "fence.in-flight",
     1, *RESERVED, ("ack", "a", 1), ("ack", "a", 1)),
    ("cancelled: b was waiting at place 2 of 3; its slot is free, 2 of 3 taken now", "cancel.waiting",
     3, ("enqueue", "a", "A"), ("enqueue", "b", "B"), ("enqueue", "c", "C"), ("cancel", "b")),
    ("cancelled: a was in flight, and its attempt 2 is worth nothing now; its slot is free, 0 of 1 taken now",
     "cancel.in-flight", 1, *RETRIED, ("cancel", "a")),
    ("refused: z was never accepted", "cancel.finished", 1, ("cancel", "z")),
    ("refused: a is already acknowledged", "cancel.finished", 1, *RESERVED, ("ack", "a", 1), ("cancel", "a")),
    ("queue 1 is made, empty, and selected; it shares nothing with the others", "isolation.queues", 1, ("new",)),
    ("queue 0 is selected; nothing in any queue has changed", "isolation.queues", 1, ("new",), ("use", 0)),
]


@pytest.mark.parametrize("why, clause, capacity, ops", [(w, c, n, ops) for w, c, n, *ops in DECISIONS])
def test_the_deciding_clause_and_why(why, clause, capacity, ops):
    step = last(capacity, *ops)
    assert (step.clause, step.why) == (clause, why)


def test_a_refusal_leaves_the_state_as_it_was():
    refused = [last(capacity, *ops) for _, _, capacity, *ops in DECISIONS]
    refused = [step for step in refused if step.refused]
    assert len(refused) > 10
    for step in refused:
        assert step.after == step.before, step.why
        assert "refusal.unchanged" in step.clauses


def test_a_state_says_who_waits_and_who_is_in_flight():
    queue = last(3, ("enqueue", "a", "A"), ("enqueue", "b", "B"), ("reserve",)).after.current
    assert queue.line == ("b",)
    assert [job.id for job in queue.in_flight] == ["a"]
    assert (queue.active, queue.waiting, queue.job("a").attempt, queue.job("z")) == (2, 1, 1, None)


def test_queues_are_apart_and_use_comes_back():
    steps = model.run(1, [("enqueue", "a", "one"), ("new",), ("enqueue", "a", "two"), ("use", 0), ("reserve",)])
    assert steps[-1].result == ("a", "one", 1)
    assert "isolation.queues" in steps[-1].clauses
    assert steps[2].after.queues[0] == steps[0].after.queues[0]


@pytest.mark.parametrize("op, words", [(("use", 1), "there is no queue 1: 1 made so far"),
                                       (("use", -1), "there is no queue -1: 1 made so far"),
                                       (("take",), "there is no operation 'take'")])
def test_an_operation_that_cannot_be_is_named(op, words):
    with pytest.raises(ValueError, match=words):
        model.step(model.start(1), op)
