"""The notation: what is a scenario, what is not, and how that is said."""

from __future__ import annotations

import enum
import json
import pickle
import sys
from fractions import Fraction

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from retryq import Job, Queue
from retryq.scenario import Scenario, ScenarioError, dump, notation, parse, parts_at, run, same, validate

FULL = {
    "name": "one of each",
    "capacity": 2,
    "ops": [
        ["enqueue", "a", "A"],
        ["reserve"],
        ["retry", "a", 1],
        ["ack", "a", 0],
        ["new"],
        ["reserve"],
        ["use", 0],
        ["cancel", "a"],
    ],
    "expected": [True, ["a", "A", 1], True, False, None, None, None, True],
    "source": {"project": "retryq", "numbers": [1, 1.5, -0.0, None, True], "deeper": {"": []}},
}


def said(bad: object) -> str:
    """The message for a bad scenario: one line that begins with where it is."""
    with pytest.raises(ScenarioError) as caught:
        parse(bad) if type(bad) in (str, bytes) else validate(bad)
    message = str(caught.value)
    assert "\n" not in message and message.isascii()
    return message


def with_op(*ops: object) -> dict:
    return {"capacity": 1, "ops": list(ops)}


def with_output(op: list, output: object) -> dict:
    return {"capacity": 1, "ops": [op], "expected": [output]}


# ---- good ones


def test_a_full_scenario_is_read_as_plain_tuples():
    scenario = parse(json.dumps(FULL))
    assert scenario.name == "one of each"
    assert scenario.capacity == 2
    assert scenario.ops[:2] == (("enqueue", "a", "A"), ("reserve",))
    assert scenario.expected == (True, ("a", "A", 1), True, False, None, None, None, True)
    assert scenario.source == FULL["source"]


def test_keys_that_are_absent_are_none_and_are_left_out_again():
    scenario = parse('{"ops": [], "capacity": 0}')
    assert scenario == Scenario(0, ())
    assert json.loads(dump(scenario)) == {"capacity": 0, "ops": []}


def test_dump_is_one_line_of_ascii_with_the_keys_in_order():
    text = dump(validate({**FULL, "name": "caf\u00e9\n\U0001f600"}))
    assert text.isascii() and "\n" not in text
    assert list(json.loads(text)) == ["name", "capacity", "ops", "expected", "source"]
    assert parse(text).name == "caf\u00e9\n\U0001f600"


def test_an_empty_name_and_an_empty_source_are_kept():
    scenario = validate({"capacity": 0, "ops": [], "name": "", "expected": [], "source": {}})
    assert parse(dump(scenario)) == scenario
    assert scenario != Scenario(0, ())


def test_bytes_and_text_are_read_alike():
    text = json.dumps({**FULL, "name": "caf\u00e9"}, ensure_ascii=False)
    assert parse(text.encode()) == parse(bytearray(text.encode())) == parse(text)


def test_tuples_and_jobs_are_taken_as_lists():
    loose = {
        "capacity": 1,
        "ops": (("enqueue", "a", ""), ("reserve",)),
        "expected": (True, Job("a", "", 1)),
        "source": {"t": (1, 2)},
    }
    scenario = validate(loose)
    assert scenario == parse(json.dumps(loose))
    assert type(scenario.expected[1]) is tuple


def test_a_scenario_is_a_value():
    one, other = validate(FULL), validate(FULL)
    assert one == other and len({one, other}) == 1
    assert pickle.loads(pickle.dumps(one)) == one
    assert one != validate({**FULL, "source": {}})
    with pytest.raises(AttributeError):
        one.capacity = 3


def test_a_scenario_does_not_change_with_the_object_it_was_read_from():
    given_object = json.loads(json.dumps(FULL))
    scenario = validate(given_object)
    given_object["ops"][0][1] = "b"
    given_object["source"]["deeper"][""].append(1)
    assert scenario == validate(FULL)


@pytest.mark.parametrize("capacity", [0, 16])
@pytest.mark.parametrize("id", ["a", "Z9_-", "x" * 16])
@pytest.mark.parametrize("payload", ["", " ~", "\\\"'<&$", "p" * 32])
def test_values_at_the_bounds_are_good(capacity, id, payload):
    ops = [["enqueue", id, payload], ["ack", id, 0], ["retry", id, 64]]
    scenario = validate({"capacity": capacity, "ops": ops})
    assert parse(dump(scenario)) == scenario


def test_eight_queues_and_sixty_four_operations_are_good():
    ops = [["new"]] * 7 + [["use", 0], ["use", 7]] + [["reserve"]] * 55
    assert len(validate({"capacity": 1, "ops": ops}).ops) == 64


def test_minus_zero_is_the_integer_zero():
    assert parse('{"capacity": -0, "ops": [["ack", "a", -0]]}') == Scenario(0, (("ack", "a", 0),))


def test_a_wrong_expectation_of_the_right_shape_is_no_error():
    assert validate(with_output(["reserve"], ["never", "there", 64])).expected == (("never", "there", 64),)


# ---- bad ones: text


@pytest.mark.parametrize(
    "text, message",
    [
        ("", "text: is empty where a JSON object should stand"),
        (" \r\n", "text: is empty where a JSON object should stand"),
        ('{"capacity": 1, "ops": [}', "text: is not JSON at column 25: Expecting value"),
        ('{"capacity": 1,\n"ops" []}', "text: is not JSON at line 2, column 7: Expecting ':' delimiter"),
        ('{"capacity": 1, "ops": []} {}', "text: is not JSON at column 28: Extra data"),
        ('{"capacity": 0, "ops": []}\u00a0', "text: is not JSON at column 27: Extra data"),
        ("\ufeff{}", "text: starts with a byte order mark; save it as UTF-8 without one"),
        (b"\xef\xbb\xbf{}", "text: starts with a byte order mark; save it as UTF-8 without one"),
        (b'{"name": "caf\xe9"}', "text: must be UTF-8, and byte 13 is not"),
        ("{}".encode("utf-16"), "text: must be UTF-8, and byte 0 is not"),
        ('{"capacity": NaN, "ops": []}', "text: is not JSON: NaN is no JSON number"),
        (
            '{"capacity": 1, "ops": [], "source": {"x": -Infinity}}',
            "text: is not JSON: -Infinity is no JSON number",
        ),
        ('{"capacity": 1, "ops": [], "source": {"x": 1e999}}', "text: has a number too large to hold: 1e999"),
        ('{"capacity": 1, "capacity": 1, "ops": []}', 'text: has the key "capacity" twice in one object'),
        (
            '{"capacity": 1, "ops": [], "source": {"\\n": {"b": 1, "b": 2}}}',
            'text: has the key "b" twice in one object',
        ),
        ("[" * 100_000, "text: is nested too deeply"),
        ("[" * 100_000 + "]" * 100_000, "text: is nested too deeply"),
        ('{"a":' * 100_000 + "1" + "}" * 100_000, "text: is nested too deeply"),
        ('{"capacity": 1' + "0" * 9_999 + "}", "text: has a number of 10000 digits; 300 are the most"),
        ('{"capacity": -1' + "0" * 9_999 + "}", "text: has a number of 10000 digits; 300 are the most"),
        ('{"capacity": 1.' + "0" * 10_000 + "}", 'scenario: has no key "ops"'),
        (
            '{"capacity": 1, "ops": [["enqueue", "a", "\t"]]}',
            "text: is not JSON at column 43: Invalid control character",
        ),
    ],
)
def test_bad_text(text, message):
    assert said(text) == message


def test_what_is_no_text_at_all():
    with pytest.raises(ScenarioError, match="^text: must be str or bytes, got 5$"):
        parse(5)


def test_deep_nesting_is_told_even_with_little_stack_left():
    def deeper(levels: int) -> str:
        return deeper(levels - 1) if levels else said("[" * 100_000)

    assert deeper(sys.getrecursionlimit() // 2) == "text: is nested too deeply"


# ---- bad ones: values


@pytest.mark.parametrize(
    "value, message",
    [
        ([1, 2], "scenario: must be a JSON object, got [1, 2]"),
        (None, "scenario: must be a JSON object, got null"),
        ({}, 'scenario: has no key "capacity"'),
        ({"capacity": 1}, 'scenario: has no key "ops"'),
        (
            {"capacity": 1, "ops": [], "opps": 1},
            'scenario: has the unknown key "opps"; the keys are name, capacity, ops, expected, source',
        ),
        (
            {"capacity": 1, "ops": [], 1: 1},
            "scenario: has the unknown key 1; the keys are name, capacity, ops, expected, source",
        ),
        ({"capacity": 17, "ops": []}, "capacity: must be an integer 0-16, got 17"),
        ({"capacity": -1, "ops": []}, "capacity: must be an integer 0-16, got -1"),
        ({"capacity": True, "ops": []}, "capacity: must be an integer 0-16, got true"),
        ({"capacity": 1.0, "ops": []}, "capacity: must be an integer 0-16, got 1.0"),
        ({"capacity": "1", "ops": []}, 'capacity: must be an integer 0-16, got "1"'),
        ({"capacity": None, "ops": []}, "capacity: must be an integer 0-16, got null"),
        (
            {"capacity": 10**5000, "ops": []},
            "capacity: must be an integer 0-16, got an integer too long to show",
        ),
        ({"capacity": Fraction(1), "ops": []}, "capacity: must be an integer 0-16, got a Python Fraction"),
        ({"capacity": 1, "ops": {}}, "ops: must be a list of operations, got {}"),
        ({"capacity": 1, "ops": "new"}, 'ops: must be a list of operations, got "new"'),
        ({"capacity": 1, "ops": [["reserve"]] * 65}, "ops: must hold at most 64 operations, got 65"),
        ({"capacity": 1, "ops": [], "name": None}, "name: must be a string of whole characters, got null"),
        (
            {"capacity": 1, "ops": [], "name": "\ud800"},
            'name: must be a string of whole characters, got "\\ud800"',
        ),
        ({"capacity": 1, "ops": [], "source": []}, "source: must be a JSON object, got []"),
        ({"capacity": 1, "ops": [], "source": None}, "source: must be a JSON object, got null"),
        (
            {"capacity": 1, "ops": [], "source": {"a": [0, {"b": {1}}]}},
            "source.a[1].b: must be a plain JSON value, got a Python set",
        ),
        (
            {"capacity": 1, "ops": [], "source": {"\ud800": 1}},
            'source: keys must be strings of whole characters, got "\\ud800"',
        ),
        (
            {"capacity": 1, "ops": [], "source": {"a": {1: 2}}},
            "source.a: keys must be strings of whole characters, got 1",
        ),
        (
            {"capacity": 1, "ops": [], "source": {"a": float("nan")}},
            "source.a: must be a plain JSON value, got NaN",
        ),
        (
            {"capacity": 1, "ops": [], "source": {"a": "\udfff"}},
            'source.a: must be a plain JSON value, got "\\udfff"',
        ),
    ],
)
def test_bad_values(value, message):
    assert said(value) == message


OPERATIONS = "enqueue, reserve, ack, retry, cancel, new, use"
ID = "id must be 1-16 characters of A-Z, a-z, 0-9, _ and -"
PAYLOAD = "payload must be 0-32 printable ASCII characters"
ATTEMPT = "attempt must be an integer 0-64"


@pytest.mark.parametrize(
    "op, message",
    [
        ([], f"must start with one of {OPERATIONS}, got []"),
        (["dequeue"], f'must start with one of {OPERATIONS}, got "dequeue"'),
        (["Reserve"], f'must start with one of {OPERATIONS}, got "Reserve"'),
        ([["reserve"]], f'must start with one of {OPERATIONS}, got ["reserve"]'),
        ("reserve", 'must be a list that starts with an operation\'s name, got "reserve"'),
        ({"reserve": []}, 'must be a list that starts with an operation\'s name, got {"reserve": []}'),
        (["reserve", 1], 'reserve takes no arguments, got ["reserve", 1]'),
        (["enqueue", "a"], 'enqueue takes id, payload, got ["enqueue", "a"]'),
        (["ack", "a"], 'ack takes id, attempt, got ["ack", "a"]'),
        (["retry", "a", 1, 1], 'retry takes id, attempt, got ["retry", "a", 1, 1]'),
        (["cancel"], 'cancel takes id, got ["cancel"]'),
        (["new", 0], 'new takes no arguments, got ["new", 0]'),
        (["use"], 'use takes index, got ["use"]'),
        (["cancel", ""], f'{ID}, got ""'),
        (["cancel", "x" * 17], f'{ID}, got "{"x" * 17}"'),
        (["cancel", "a b"], f'{ID}, got "a b"'),
        (["cancel", "a\n"], f'{ID}, got "a\\n"'),
        (["cancel", "\u00e9"], f'{ID}, got "\\u00e9"'),
        (["cancel", "\u0661"], f'{ID}, got "\\u0661"'),
        (["cancel", "\ud800"], f'{ID}, got "\\ud800"'),
        (["cancel", 1], f"{ID}, got 1"),
        (["cancel", None], f"{ID}, got null"),
        (["enqueue", "a", "x" * 33], f'{PAYLOAD}, got "{"x" * 33}"'),
        (["enqueue", "a", "\x7f"], f'{PAYLOAD}, got "\\u007f"'),
        (["enqueue", "a", "\n"], f'{PAYLOAD}, got "\\n"'),
        (["enqueue", "a", "\u00e9"], f'{PAYLOAD}, got "\\u00e9"'),
        (["enqueue", "a", None], f"{PAYLOAD}, got null"),
        (["enqueue", "a", [0] * 1_000_000], f"{PAYLOAD}, got [{'0, ' * 18}0,..."),
        (["enqueue", "a", "y" * 1_000_000], f'{PAYLOAD}, got "{"y" * 56}...'),
        (["ack", "a", -1], f"{ATTEMPT}, got -1"),
        (["ack", "a", 65], f"{ATTEMPT}, got 65"),
        (["ack", "a", True], f"{ATTEMPT}, got true"),
        (["retry", "a", 1.0], f"{ATTEMPT}, got 1.0"),
        (["retry", "a", "1"], f'{ATTEMPT}, got "1"'),
        (["retry", "a", None], f"{ATTEMPT}, got null"),
        (["use", 1], "index must be a queue made so far (only 0), got 1"),
        (["use", -1], "index must be a queue made so far (only 0), got -1"),
        (["use", False], "index must be a queue made so far (only 0), got false"),
        (["use", 0.0], "index must be a queue made so far (only 0), got 0.0"),
    ],
)
def test_bad_operations_say_which_one_it_is(op, message):
    assert said(with_op(op)) == f"ops[0]: {message}"
    assert said(with_op(["use", 0], ["reserve"], ["reserve"], op)) == f"ops[3]: {message}"


@pytest.mark.parametrize("literal, shown", [("1e0", "1.0"), ("1.0", "1.0"), ("true", "true"), ('"1"', '"1"')])
def test_an_attempt_in_another_notation_is_no_integer(literal, shown):
    assert (
        said('{"capacity": 1, "ops": [["ack", "a", ' + literal + "]]}")
        == f"ops[0]: attempt must be an integer 0-64, got {shown}"
    )


def test_a_queue_can_be_used_only_once_it_is_there():
    assert validate(with_op(["new"], ["use", 1])).ops[1] == ("use", 1)
    assert said(with_op(["use", 1], ["new"])) == "ops[0]: index must be a queue made so far (only 0), got 1"
    assert said(with_op(["new"], ["use", 2])) == "ops[1]: index must be a queue made so far (0-1), got 2"


def test_a_ninth_queue_is_refused_where_it_would_be_made():
    message = "ops[8]: new would make queue number 9, and a scenario has at most 8"
    assert said(with_op(*[["new"]] * 7, ["reserve"], ["new"])) == message


@pytest.mark.parametrize(
    "op, output, message",
    [
        (["cancel", "a"], 1, "the output of cancel must be true or false, got 1"),
        (["cancel", "a"], None, "the output of cancel must be true or false, got null"),
        (["enqueue", "a", ""], "true", 'the output of enqueue must be true or false, got "true"'),
        (["ack", "a", 1], ["a", "", 1], 'the output of ack must be true or false, got ["a", "", 1]'),
        (["new"], True, "the output of new must be null, got true"),
        (["use", 0], 0, "the output of use must be null, got 0"),
        (["reserve"], False, "must be [id, payload, attempt] or null for reserve, got false"),
        (["reserve"], ["a", ""], 'must be [id, payload, attempt] or null for reserve, got ["a", ""]'),
        (
            ["reserve"],
            ["a", "", 1, 1],
            'must be [id, payload, attempt] or null for reserve, got ["a", "", 1, 1]',
        ),
        (["reserve"], [1, "", 1], f"{ID}, got 1"),
        (["reserve"], ["a", None, 1], f"{PAYLOAD}, got null"),
        (["reserve"], ["a", "", True], f"{ATTEMPT}, got true"),
        (["reserve"], ["a", "", 1.0], f"{ATTEMPT}, got 1.0"),
        (["reserve"], ["a", "", 0], "attempt must be at least 1 in a reservation, got 0"),
    ],
)
def test_an_expected_output_must_have_its_operation_s_shape(op, output, message):
    assert said(with_output(op, output)) == f"expected[0]: {message}"


def test_expected_must_be_as_long_as_ops():
    bad = {"capacity": 1, "ops": [["reserve"], ["reserve"]], "expected": [None]}
    assert said(bad) == "expected: must hold one output for each of the 2 operations, got 1"
    assert said({**bad, "expected": None}) == "expected: must be a list of outputs, got null"


# ---- bad ones: objects that no JSON text can make


class Hostile:
    """Everything that can be asked of it raises."""

    def _raise(self, *arguments):
        raise RuntimeError("no")

    __repr__ = __str__ = __eq__ = __bool__ = __len__ = __iter__ = __index__ = __getattr__ = _raise
    __hash__ = object.__hash__
    __class__ = property(_raise)


class HostileDict(dict):
    def _raise(self, *arguments):
        raise RuntimeError("no")

    __iter__ = items = keys = __getitem__ = __contains__ = __len__ = get = _raise


class EndlessList(list):
    def __iter__(self):
        while True:
            yield ["reserve"]

    def __len__(self):
        return 3


class KeyLikeOps(str):
    def __eq__(self, other):
        raise RuntimeError("no")

    __hash__ = str.__hash__


class One(enum.IntEnum):
    ONE = 1


def cyclic() -> list:
    ring: list = []
    ring.append(ring)
    return ring


def deep() -> list:
    nest: list = []
    for _ in range(100_000):
        nest = [nest]
    return nest


def wide() -> dict:
    twice: list = []
    for _ in range(31):  # 2 ** 31 values for whoever walks all of it
        twice = [twice, twice]
    return {"x": twice}


ODD = {
    "hostile": Hostile,
    "hostile dict": lambda: HostileDict(a=1),
    "endless list": EndlessList,
    "string that cannot be compared": lambda: KeyLikeOps("ops"),
    "enum": lambda: One.ONE,
    "cyclic": cyclic,
    "deep": deep,
    "long number": lambda: 10**5000,
    "bytes": lambda: b"x",
    "class": lambda: object,
}


@pytest.mark.parametrize("name", ODD)
def test_an_odd_object_anywhere_is_a_scenario_error(name):
    odd = ODD[name]()
    for bad in (
        odd,
        {"capacity": odd, "ops": []},
        {"capacity": 1, "ops": odd, "expected": [1]},
        {"capacity": 1, "ops": [odd]},
        {"capacity": 1, "ops": [[odd]]},
        {"capacity": 1, "ops": [["ack", odd, 1]]},
        {"capacity": 1, "ops": [["ack", "a", odd]]},
        {"capacity": 1, "ops": [["reserve"]], "expected": odd},
        {"capacity": 1, "ops": [["reserve"]], "expected": [odd]},
        {"capacity": 1, "ops": [["reserve"]], "expected": [["a", "", odd]]},
        {"capacity": 1, "ops": [], "name": odd},
        {"capacity": 1, "ops": [], "source": {"x": [odd, Hostile()]}},
    ):
        said(bad)


def test_a_dict_or_list_that_misleads_is_read_as_what_it_holds():
    assert validate(HostileDict(capacity=1, ops=EndlessList([["new"]]))) == Scenario(1, (("new",),))


def test_a_key_that_only_looks_like_one_is_refused():
    said({KeyLikeOps("ops"): [], "capacity": 1})


def test_a_source_has_an_end():
    assert said({"capacity": 1, "ops": [], "source": wide()}) == "source: must hold at most 10000 values"
    assert (
        said({"capacity": 1, "ops": [], "source": {"x": cyclic()}})
        == "source: must be nested at most 32 deep"
    )
    assert said({"capacity": 1, "ops": [], "source": {"x": 10**300}}).startswith(
        "source.x: must be a plain JSON value"
    )


# ---- whatever comes


ids = st.text("abzAZ09_-", min_size=1, max_size=16)
payloads = st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=32)
attempts = st.integers(0, 64)
whole_text = st.text(st.characters(codec="utf-8"))  # no lone surrogates
numbers = st.integers(1 - 10**300, 10**300 - 1) | st.floats(allow_nan=False, allow_infinity=False)
json_values = st.recursive(
    st.none() | st.booleans() | numbers | whole_text,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(whole_text, inner, max_size=4),
    max_leaves=12,
)


@st.composite
def scenarios(draw) -> dict:
    """Any valid scenario, expected outputs (right or wrong) included."""
    queues, ops, expected = 1, [], []
    for _ in range(draw(st.integers(0, 64))):
        name = draw(st.sampled_from(["enqueue", "reserve", "ack", "retry", "cancel", "new", "use"]))
        if name == "new" and queues == 8:
            name = "use"
        queues += name == "new"
        arguments = {
            "enqueue": st.tuples(ids, payloads),
            "ack": st.tuples(ids, attempts),
            "retry": st.tuples(ids, attempts),
            "cancel": st.tuples(ids),
            "use": st.tuples(st.integers(0, queues - 1)),
        }.get(name, st.just(()))
        outputs = {
            "reserve": st.none() | st.tuples(ids, payloads, st.integers(1, 64)).map(list),
            "new": st.none(),
            "use": st.none(),
        }.get(name, st.booleans())
        ops.append([name, *draw(arguments)])
        expected.append(draw(outputs))
    scenario = {"capacity": draw(st.integers(0, 16)), "ops": ops}
    if draw(st.booleans()):
        scenario["expected"] = expected
    if draw(st.booleans()):
        scenario["name"] = draw(whole_text)
    if draw(st.booleans()):
        scenario["source"] = draw(st.dictionaries(whole_text, json_values, max_size=4))
    return scenario


def is_scenario_or_error(read, value) -> None:
    """A scenario that survives a round trip, or a `ScenarioError` of one line. Anything else is an escape."""
    try:
        scenario = read(value)
    except ScenarioError as error:
        assert str(error) and "\n" not in str(error)
    else:
        assert parse(dump(scenario)) == scenario


@given(scenarios())
@settings(deadline=None)
def test_every_valid_scenario_survives_a_round_trip(value):
    scenario = validate(value)
    assert parse(dump(scenario)) == parse(dump(scenario).encode()) == scenario
    assert json.loads(dump(scenario)) == value
    assert len(run(scenario, Queue)) == len(scenario.ops)


@given(st.text() | st.binary())
@example('{"capacity":1,"ops":[]}')
@settings(deadline=None)
def test_any_text_is_a_scenario_or_a_scenario_error(text):
    is_scenario_or_error(parse, text)


@given(scenarios(), st.data())
@settings(deadline=None)
def test_a_damaged_scenario_is_a_scenario_or_a_scenario_error(value, data):
    text = json.dumps(value)
    cut = data.draw(st.integers(0, len(text)))
    resume = data.draw(st.integers(cut, min(len(text), cut + 3)))
    patch = data.draw(st.text('0123456789eE+-.,:[]{}"\\ untrfalse', max_size=3) | st.text(max_size=2))
    is_scenario_or_error(parse, text[:cut] + patch + text[resume:])


words = st.sampled_from(
    [
        "name",
        "capacity",
        "ops",
        "expected",
        "source",
        "enqueue",
        "reserve",
        "ack",
        "retry",
        "cancel",
        "new",
        "use",
        "a",
        "",
    ]
)
leaves = words | st.none() | st.booleans() | st.integers(-1, 65) | st.floats() | st.text() | st.binary()
leaves |= (
    st.complex_numbers() | st.fractions() | st.builds(object) | st.builds(Hostile) | st.sets(st.integers())
)
python_objects = st.recursive(
    leaves,
    lambda inner: (
        st.lists(inner) | st.tuples(inner, inner) | st.dictionaries(words | st.integers() | st.none(), inner)
    ),
    max_leaves=20,
)


@given(
    python_objects
    | st.fixed_dictionaries(
        {
            "capacity": st.integers(0, 2),
            "ops": st.lists(st.lists(words | st.integers(0, 2), max_size=3), max_size=3),
        },
        optional={"name": leaves, "expected": python_objects, "source": python_objects},
    )
)
@settings(deadline=None)
def test_any_object_is_a_scenario_or_a_scenario_error(value):
    is_scenario_or_error(validate, value)


# ---- running and comparing


def test_run_answers_one_output_for_each_operation():
    assert run(validate(FULL), Queue) == FULL["expected"]


def test_run_gives_each_new_queue_the_same_capacity_and_selects_it():
    made = []

    class Noted(Queue):
        def __init__(self, capacity):
            super().__init__(capacity)
            made.append(capacity)

    ops = [
        ["enqueue", "a", "1"],
        ["new"],
        ["enqueue", "a", "2"],
        ["use", 0],
        ["reserve"],
        ["use", 1],
        ["reserve"],
    ]
    outputs = run(validate({"capacity": 3, "ops": ops}), Noted)
    assert outputs == [True, None, True, None, ["a", "1", 1], None, ["a", "2", 1]]
    assert made == [3, 3]


def test_run_keeps_a_wrong_answer_as_it_came():
    class Odd:
        def __init__(self, capacity):
            pass

        def enqueue(self, id, payload):
            return 1

        def reserve(self):
            return ("a", "A")

        def cancel(self, id):
            return "yes"

    outputs = run(validate(with_op(["enqueue", "a", "A"], ["reserve"], ["cancel", "a"])), Odd)
    assert outputs == [1, ("a", "A"), "yes"]
    assert type(outputs[0]) is int


class Backwards(tuple):
    """A job whose place in the tuple is not its name's."""

    payload = property(lambda self: self[0])
    id = property(lambda self: self[1])
    attempt = property(lambda self: self[2])


@pytest.mark.parametrize("job", [Job("a", "A", 1), ("a", "A", 1), Backwards(("A", "a", 1))])
def test_any_kind_of_job_is_a_list_in_the_notation(job):
    assert notation(job) == ["a", "A", 1]
    assert type(notation(job)) is list


@pytest.mark.parametrize("answer", [True, False, None, 1, "abc", (), ("a", "A"), ["a", "A", 1]])
def test_everything_else_stays_as_it_came(answer):
    assert notation(answer) is answer


@pytest.mark.parametrize(
    "one, other",
    [
        (True, 1),
        (False, 0),
        (None, False),
        (1, 1.0),
        ("a", b"a"),
        (["a", "A", 1], ["a", "A", True]),
        ([1], [1, 1]),
        ([], None),
    ],
)
def test_outputs_of_another_kind_are_not_the_same(one, other):
    assert not same(one, other) and not same(other, one)


@pytest.mark.parametrize("output", [True, False, None, ["a", "", 1]])
def test_equal_outputs_are_the_same(output):
    assert same(output, json.loads(json.dumps(output)))
    assert same(("a", "", 1), ["a", "", 1])


def test_an_answer_that_claims_to_equal_everything_is_not_the_same():
    class Agreeable:
        __hash__ = None

        def __eq__(self, other):
            return True

    assert not same(True, Agreeable()) and not same(Agreeable(), True)


def test_the_place_where_outputs_part():
    assert parts_at([True, None], (True, None)) is None
    assert parts_at((True, ("a", "", 1)), [True, ["a", "", 2]]) == 1
    assert parts_at([1], [True]) == 0
    assert parts_at([True], [True, None]) == 1
    assert parts_at([True, None], [True]) == 1
