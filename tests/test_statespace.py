"""The graph of states: complete for its scope, and every way into a state really leads there."""

import itertools

import pytest

from retryq import Queue, model
from retryq.statespace import describe, explore, key

SCOPES = [(0, "ab", 1), (1, "a", 3), (1, "ab", 2), (2, "ab", 2), (3, "abc", 1)]


@pytest.fixture(params=SCOPES, ids=str)
def graph(request):
    capacity, ids, attempts = request.param
    return explore(capacity, ids, attempts)


def test_every_way_leads_into_its_state(graph):
    for place, state in enumerate(graph.states):
        assert key(graph.history(place).at(len(graph.ways[place]))) == key(state)
        assert graph.find(state) == place


def test_no_way_is_longer_than_it_must_be(graph):
    """A state is one operation farther than the nearest state that leads to it, and never more."""
    nearest = {0: 0}
    for move in graph.moves:
        nearest[move.target] = min(nearest.get(move.target, 99), len(graph.ways[move.source]) + 1)
    assert [len(way) for way in graph.ways] == [nearest[place] for place in range(len(graph))]


def test_transitions_say_what_the_rules_say(graph):
    for offers in graph.transitions:
        for each in offers:
            step = model.step(graph.states[each.source], each.op)
            assert (each.result, each.clause) == (step.result, step.clause)
            assert each.changes == (step.after != step.before)
            if each.target is not None:
                assert key(graph.states[each.target]) == key(step.after)


def test_only_a_reservation_beyond_the_scope_leads_out(graph):
    out = [each for offers in graph.transitions for each in offers if each.target is None]
    assert {each.op for each in out} <= {("reserve",)}
    assert all(each.result[2] == graph.max_attempt + 1 for each in out)
    assert bool(out) == (graph.capacity > 0)


def test_no_run_of_operations_leaves_the_states_that_were_found():
    """Every run of up to 5 operations of the scope, tried without the graph."""
    graph = explore(1, "ab", 2)
    ops = [each.op for each in graph.transitions[0] if each.op[-1] != 3]
    frontier = {graph.states[0]}
    for _ in range(5):
        steps = [model.step(state, op) for state, op in itertools.product(frontier, ops)]
        frontier = {step.after for step in steps if not (isinstance(step.result, tuple) and step.result[2] > 2)}
        assert all(graph.find(state) is not None for state in frontier)


def test_the_order_is_the_same_each_time():
    first, second = explore(2, "ab", 2), explore(2, "ab", 2)
    assert first.states == second.states and first.transitions == second.transitions and first.ways == second.ways


def test_levels_are_the_states_by_their_distance(graph):
    assert [place for level in graph.levels for place in level] == list(range(len(graph)))
    assert all(len(graph.ways[place]) == distance for distance, level in enumerate(graph.levels) for place in level)


def test_states_that_differ_in_the_order_of_acceptance_are_one():
    graph = explore(2, "ab", 1)
    ways = (("enqueue", "a", "A"), ("enqueue", "b", "B")), (("enqueue", "b", "B"), ("enqueue", "a", "A"))
    ends = [model.run(2, (*way, ("reserve",), ("reserve",)))[-1].after for way in ways]
    assert ends[0] != ends[1]
    assert graph.find(ends[0]) == graph.find(ends[1])


def test_interchangeable_ids_keep_one_state_of_those_that_differ_in_names_alone():
    full, fewer = explore(2, "abc", 1), explore(2, "abc", 1, interchangeable=True)

    def shape(state):
        """The state with its ids renamed in every possible way: the least of these stands for all."""
        jobs, line = state.current.jobs, state.current.line
        forms = []
        for names in itertools.permutations("abc"):
            to = dict(zip("abc", names, strict=True))
            forms.append((sorted((to[job.id], job.attempt, job.status) for job in jobs), [to[id] for id in line]))
        return repr(min(forms))

    assert {shape(state) for state in full.states} == {shape(state) for state in fewer.states}
    assert len(fewer) < len(full) / 1.5


def test_the_queue_answers_as_the_graph_says_in_every_state():
    graph = explore(2, "ab", 2)
    for place, way in enumerate(graph.ways):
        for each in graph.transitions[place]:
            queue = Queue(2)
            for name, *arguments in way:
                getattr(queue, name)(*arguments)
            answer = getattr(queue, each.op[0])(*each.op[1:])
            assert (tuple(answer) if isinstance(answer, tuple) else answer) == each.result


def test_a_state_is_told_in_one_line():
    ops = [("enqueue", "a", "A"), ("enqueue", "b", "B"), ("enqueue", "c", "C"), ("reserve",), ("retry", "a", 1),
           ("reserve",), ("cancel", "c")]  # fmt: skip
    assert describe(model.run(3, ops)[-1].after) == "waiting: a (after #1) · in flight: b #1 · finished: c cancelled"
    assert describe(model.start(1)) == "empty"


def test_what_the_scope_does_not_offer_is_a_key_error():
    graph = explore(1, "a", 1)
    with pytest.raises(KeyError):
        graph.follow(0, ["cancel", "z"])
    with pytest.raises(KeyError):
        graph.find(model.run(1, [("enqueue", "z", "Z")])[-1].after)
