"""The lab as its user meets it: buttons are pressed, fields are filled in, and what is shown is read."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from html import unescape

import ipywidgets
import pytest
from IPython.core.interactiveshell import InteractiveShell
from ipywidgets.widgets.widget import _instances as REGISTRY

from retryq import Queue, data
from retryq.history import History
from retryq.lab import Lab
from retryq.missions import Mission, for_lesson
from retryq.scenario import Scenario, ScenarioError, parse

HOSTILE = ("$x$", r"\frac", "<script>", "&amp;", "%s", "__", "'", '"', "</p>", "`")


def widgets(box: ipywidgets.Widget) -> list[ipywidgets.Widget]:
    """Everything that can be seen, in the order of the Tab key."""
    if getattr(box, "layout", None) is not None and box.layout.display == "none":
        return []
    return [box, *(inner for child in getattr(box, "children", ()) for inner in widgets(child))]


def press(lab: Lab, name: str) -> None:
    """Press the button of this name; there must be exactly one that can be seen, or the first of several named
    groups is meant."""
    [button] = [each for each in widgets(lab) if isinstance(each, ipywidgets.Button) and each.description == name]
    button.click()


def fill(lab: Lab, label: str, value: object, which: int = 0) -> None:
    """Fill in a field, by its label; ``which`` of several of that name."""
    fields = [each for each in widgets(lab)
              if getattr(each, "description", None) == label and not isinstance(each, ipywidgets.Button)]
    fields[which].value = value


def values(lab: Lab, label: str) -> list:
    return [each.value for each in widgets(lab)
            if getattr(each, "description", None) == label and not isinstance(each, ipywidgets.Button)]


def names(lab: Lab) -> list[str]:
    return [each.description for each in widgets(lab) if isinstance(each, ipywidgets.Button)]


def markup(lab: Lab) -> list[str]:
    return [each.value for each in widgets(lab) if isinstance(each, ipywidgets.HTML)]


def page(lab: Lab) -> str:
    """The words on the page, without the picture."""
    texts = [re.sub(r"<img[^>]*>", "", value) for value in markup(lab)]
    return unescape(" ".join(re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", text)).strip() for text in texts))


def role(lab: Lab, name: str) -> str:
    """The words of what a screen reader is told as this role."""
    found = [value for value in markup(lab) if f'role="{name}"' in value]
    return unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]*>", "", " ".join(found))).strip())


def alt(lab: Lab) -> str:
    [picture] = [value for value in markup(lab) if "<img" in value]
    return unescape(re.search(r'alt="([^"]*)"', picture)[1])


def played(capacity: int = 2, *ops: list, **options: object) -> Lab:
    lab = Lab(capacity, **options)
    for op in ops:
        lab.do(op)
    return lab


STALE = (["enqueue", "a", "A"], ["reserve"], ["retry", "a", 1], ["reserve"])


def test_the_five_operations_with_their_fields():
    lab = Lab(capacity=2)
    fill(lab, "id", "job-1")
    fill(lab, "payload", "send the invoice")
    press(lab, "enqueue")
    assert 'queue.enqueue("job-1", "send the invoice") → True' in role(lab, "status")
    assert "accepted: 2 of 2 slots were free, and job-1 joins the tail at place 1" in role(lab, "status")
    assert "capacity.room A new id is accepted while a slot is free." in page(lab)
    press(lab, "reserve")
    assert "queue.reserve() → Job(id='job-1', payload='send the invoice', attempt=1)" in role(lab, "status")
    fill(lab, "any id", "job-1")
    for name, answer in (("retry", "True"), ("ack", "False"), ("cancel", "True")):
        press(lab, name)
        assert f'{name}("job-1"' in role(lab, "status")
        assert f"→ {answer}" in role(lab, "status")
    assert lab.history.ops == (("enqueue", "job-1", "send the invoice"), ("reserve",), ("retry", "job-1", 1),
                               ("ack", "job-1", 1), ("cancel", "job-1"))


def test_several_jobs_are_as_many_presses_and_a_refusal_leaves_the_fields():
    lab = Lab(capacity=2)
    for _ in range(3):
        press(lab, "enqueue")
    assert lab.history.ops == (("enqueue", "a", "A"), ("enqueue", "b", "B"), ("enqueue", "c", "C"))
    assert lab.history.results == (True, True, False)
    assert (values(lab, "id"), values(lab, "payload")) == (["c"], ["C"])


def test_buttons_and_code_have_the_same_effect_and_the_same_words():
    pressed, called = Lab(capacity=1, missions="05-fencing"), Lab(capacity=1, missions="05-fencing")
    press(pressed, "enqueue")
    press(pressed, "reserve")
    press(pressed, "retry a")
    press(pressed, "back")
    press(pressed, "undo")
    press(pressed, "redo")
    press(pressed, "reserve")
    fill(pressed, "step", 2)
    for op in STALE[:3]:
        called.do(op)
    called.goto(2)
    called.undo()
    called.redo()
    called.do(["reserve"])
    called.goto(2)
    assert markup(pressed)[1:] == markup(called)[1:]
    assert str(pressed) == str(called)
    assert pressed.history == called.history


def test_what_code_answers_is_what_the_page_says():
    lab = played(1, *STALE)
    told = lab.do(["ack", "a", 1])
    assert repr(told) == ('5. queue.ack("a", 1) -> False\n'
                          "   refused: attempt 1 is stale, the current attempt of a is 2 (fence.exact)")
    for line in (told.why, "fence.exact", 'queue.ack("a", 1)'):
        assert line in role(lab, "status")


def test_a_stale_ack_is_two_clicks_away():
    lab = played(1, *STALE)
    assert values(lab, "attempt") == [1, 2]  # the one of the free form, and that of the job
    fill(lab, "attempt", 1, which=1)
    press(lab, "ack a")
    assert "attempt 1 is stale, the current attempt of a is 2" in role(lab, "status")
    assert values(lab, "attempt")[1] == 1, "the attempt is left as it was set"
    fill(lab, "attempt", 2, which=1)
    press(lab, "ack a")
    assert lab.history.results[-1] is True
    assert "ack a" not in names(lab), "a finished job has no buttons"


def test_every_active_job_has_its_buttons_and_they_follow_the_jobs():
    lab = played(16, *(["enqueue", f"j{number}", ""] for number in range(16)), ["reserve"])
    for number in range(16):
        assert {f"ack j{number}", f"retry j{number}", f"cancel j{number}"} <= set(names(lab))
    press(lab, "cancel j7")
    assert "ack j7" not in names(lab)
    assert "j8" in page(lab)
    press(lab, "retry j0")
    assert lab.history.results[-1] is True
    press(lab, "ack j1")
    assert "refused: j1 is waiting, not in flight" in role(lab, "status")


def test_the_line_shows_head_tail_in_flight_and_slots():
    lab = played(4, ["enqueue", "a", "A"], ["enqueue", "b", "B"], ["enqueue", "c", "C"], ["reserve"])
    assert "In flight a #1 Waiting head → b c → tail Slots 3 of 4 taken" in page(lab)
    assert 'b "B" waiting, head' in page(lab)
    assert 'c "C" waiting, tail' in page(lab)
    assert "free slot" in page(lab)
    lab.goto(1)
    assert "In flight none Waiting head → a → tail Slots 1 of 4 taken" in page(lab)
    assert 'a "A" waiting, head and tail' in page(lab)


def test_stepping_shows_that_step_and_nothing_is_lost():
    lab = played(1, *STALE)
    for name, cursor in (("first", 0), ("back", 0), ("forward", 1), ("last", 4), ("forward", 4), ("back", 3)):
        press(lab, name)
        assert lab.cursor == cursor
        assert values(lab, "step") == [cursor]
        assert f"step {cursor} of 4" in page(lab)
        assert role(lab, "alert") == ""
    for name, words in (("first", ""), ("back", "This is the beginning of the run."), ("forward", ""),
                        ("last", ""), ("forward", "This is the end of the run."), ("back", "")):
        press(lab, name)
        assert ("This is the" in page(lab)) == bool(words)
        assert words in page(lab)
    assert "3. queue.retry" in role(lab, "status")
    assert "Still to come: 4: reserve" in alt(lab)
    press(lab, "first")
    assert "Nothing has happened yet: 1 slot, all free." in role(lab, "status")
    assert len(lab.history) == 4


def test_the_slider_the_number_and_play_move_the_same_cursor():
    lab = played(1, *STALE)
    [slider] = [each for each in widgets(lab) if isinstance(each, ipywidgets.IntSlider)]
    [play] = [each for each in widgets(lab) if isinstance(each, ipywidgets.Play)]
    assert (slider.max, play.max) == (4, 4)
    [unused] = [each for each in widgets(Lab()) if isinstance(each, ipywidgets.IntSlider)]
    assert unused.disabled
    assert unused.max > unused.min, "a browser cannot draw a slider without length"
    for control, value in ((slider, 1), (play, 2), (slider, 0), (play, 4)):
        control.value = value
        assert lab.cursor == slider.value == play.value == values(lab, "step")[0] == value
    lab.undo()
    assert (slider.max, slider.value, play.max) == (3, 3, 3)


def test_acting_in_the_past_says_what_was_dropped_and_undo_brings_it_back():
    lab = played(1, *STALE)
    fill(lab, "step", 1)
    press(lab, "cancel a")
    assert "the 3 operations that came later were dropped. Undo brings them back." in role(lab, "status")
    assert len(lab.history) == 2
    press(lab, "undo")
    assert lab.history.ops == tuple(map(tuple, STALE))
    assert "Taken back: queue.cancel(\"a\"). Later operations are there again: 3." in role(lab, "status")
    press(lab, "redo")
    assert lab.history.ops[-1] == ("cancel", "a")
    press(lab, "redo")
    assert "There is nothing to do again." in role(lab, "status")


def test_several_queues_are_made_and_used():
    lab = Lab(capacity=1)
    press(lab, "enqueue")
    press(lab, "new queue")
    fill(lab, "id", "a")
    press(lab, "enqueue")
    assert lab.history.results[-1] is True
    press(lab, "reserve")
    assert values(lab, "queue") == [1]
    assert "queue 0 In flight none Waiting head → a → tail" in page(lab)
    assert "queue 1, selected In flight a #1" in page(lab)
    fill(lab, "queue", 0)
    press(lab, "use")
    assert lab.history.ops[-1] == ("use", 0)
    assert 'a "A" waiting' in page(lab)
    press(lab, "first")
    assert values(lab, "queue") == [0]


def test_another_capacity_restarts_says_so_and_can_be_taken_back():
    lab = played(1, *STALE)
    fill(lab, "capacity", 0)
    press(lab, "restart")
    assert "Started again with an empty queue of 0 slots." in role(lab, "status")
    press(lab, "enqueue")
    assert "capacity is 0" in role(lab, "status")
    press(lab, "undo")
    press(lab, "undo")
    assert lab.history.ops == tuple(map(tuple, STALE))
    assert values(lab, "capacity") == [1]


@pytest.mark.parametrize("label, value, words", [
    ("id", "two words", "id must be 1-16 characters"),
    ("id", "", "id must be 1-16 characters"),
    ("payload", "x" * 33, "payload must be 0-32 printable ASCII characters"),
    ("payload", "é", "payload must be 0-32 printable ASCII characters"),
])
def test_bad_input_is_answered_in_words_and_nothing_is_lost(label, value, words):
    lab = played(1, *STALE)
    lab.goto(2)
    fill(lab, label, value)
    press(lab, "enqueue")
    assert words in role(lab, "alert")
    assert role(lab, "alert").count(words) == 1, "it is said in one place, beside the control"
    assert (len(lab.history), lab.cursor) == (4, 2)
    press(lab, "reserve")
    assert role(lab, "alert") == "", "the next good operation takes the sentence away"


def test_the_bounds_of_a_run_are_told_beside_the_control():
    lab = Lab(Scenario(1, (("reserve",),) * 64))
    press(lab, "reserve")
    assert "a run has at most 64 operations; step back and act from there, or restart" in role(lab, "alert")
    assert len(lab.history) == 64
    lab = played(1, *[["new"]] * 7)
    press(lab, "new queue")
    assert "at most 8" in role(lab, "alert")


def test_code_raises_one_sentence_for_what_the_page_would_say():
    lab = Lab()
    for bad in (lambda: lab.do(["ack", "a", True]), lambda: lab.goto(1), lambda: lab.load("{"),
                lambda: lab.restart(17), lambda: lab.save("run.docx"), lambda: Lab(capacity=99)):
        with pytest.raises(ScenarioError, match=r"^[^\n]{10,200}$"):
            bad()
    assert lab.history == History.start(2)


def test_an_operation_without_its_brackets_is_told_how_to_write_it():
    with pytest.raises(ScenarioError, match=re.escape("lab.do(['enqueue', 'a', 'A'])")):
        Lab(2).do("enqueue", "a", "A")


def test_in_a_notebook_a_mistake_is_one_sentence(capsys):
    shell = InteractiveShell()
    done = shell.run_cell('from retryq.lab import Lab\nLab(2).do(["enqueue", "a", "two\\nlines"])')
    said = [line for line in capsys.readouterr().out.splitlines() if line.strip()]
    assert isinstance(done.error_in_exec, ScenarioError) and said == [f"ScenarioError: {done.error_in_exec}"]


def test_published_examples_and_witnesses_are_opened_by_name():
    lab = Lab()
    press(lab, "show open and save")
    for example in data.examples():
        fill(lab, "which", example.name)
        press(lab, "open")
        assert lab.history.results == example.expected
        assert f"Opened {example.name}" in role(lab, "status")
    fill(lab, "runs", "fence.zero")
    press(lab, "open")
    assert lab.history.steps[-1].clause == "fence.zero"


def test_pasted_text_is_opened_or_answered_in_words():
    lab = played(1, *STALE)
    press(lab, "show open and save")
    fill(lab, "text", '{"capacity": 1, "ops": [["ack", "a", 1.0]]}')
    press(lab, "open the text")
    assert "ops[0]: attempt must be an integer 0-64, got 1.0" in role(lab, "alert")
    assert lab.history.ops == tuple(map(tuple, STALE))
    fill(lab, "text", data.examples()[0].to_json())
    press(lab, "open the text")
    assert role(lab, "alert") == ""
    assert lab.history.ops == data.examples()[0].ops


def test_the_run_is_written_into_the_text_as_json_as_a_test_and_as_a_saved_lab():
    lab = played(1, *STALE, missions="05-fencing")
    lab.goto(3)
    press(lab, "show open and save")
    press(lab, "write JSON")
    assert parse(values(lab, "text")[0]) == lab.scenario
    press(lab, "write a test")
    assert values(lab, "text")[0] == lab.as_test()
    press(lab, "write a saved lab")
    [text] = values(lab, "text")
    back = Lab.restore(text, missions="05-fencing")
    assert (back.history, back.cursor, back.missions) == (lab.history, 3, lab.missions)
    assert ("Make attempt 1 stale.", True) in back.missions
    press(lab, "hide open and save")
    assert values(lab, "text") == []


def test_the_run_is_saved_as_picture_json_and_test(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lab = played(1, *STALE)
    press(lab, "show open and save")
    for name, start in (("run.svg", b"<?xml"), ("run.png", b"\x89PNG"), ("run.pdf", b"%PDF"), ("run.json", b"{"),
                        ("test_run.py", b"from retryq"), ("run.txt", b"Lab: capacity 1")):
        fill(lab, "file", name)
        press(lab, "save")
        assert f"Saved the run as {name}." in page(lab)
        assert (tmp_path / name).read_bytes().startswith(start)
    assert parse((tmp_path / "run.json").read_text()) == lab.scenario
    exec((tmp_path / "test_run.py").read_text(), namespace := {})
    namespace["test_run"]()


def test_a_file_of_somebody_else_is_left_alone_and_what_cannot_be_saved_is_told(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "run.json").write_text("mine")
    lab = played(1, *STALE)
    press(lab, "show open and save")
    for name, words in (("run.json", "'run.json' is there already"), ("run.docx", "must end in .svg"), ("", "must end"),
                        ("no/such/folder.json", "no/such/folder.json cannot be written: No such file")):
        fill(lab, "file", name)
        press(lab, "save")
        assert words in role(lab, "alert")
    assert (tmp_path / "run.json").read_text() == "mine"
    fill(lab, "file", "other.json")
    press(lab, "save")
    press(lab, "save")
    assert role(lab, "alert") == "", "what the lab has saved itself, it saves again"


def test_missions_are_ticked_as_they_are_reached_and_a_hint_comes_after_a_while():
    lab = Lab(capacity=1, missions="03-capacity")
    first, *_ = for_lesson("03-capacity")
    assert f"○ open {first.goal}" in page(lab)
    assert "Hint" not in page(lab)
    press(lab, "enqueue")
    for _ in range(5):
        press(lab, "enqueue")
    assert f"Hint: {first.hint}" in page(lab)
    press(lab, "reserve")
    press(lab, "enqueue")
    assert f"✓ done {first.goal}" in page(lab)
    assert f"Mission reached: {first.goal}" in role(lab, "status")
    assert lab.missions[0] == (first.goal, True)
    assert f"[x] {first.goal}" in str(lab)


class ForgetsTheFence(Queue):
    """Takes whatever attempt comes for the newest one."""

    __slots__ = ("_newest",)

    def __init__(self, capacity):
        super().__init__(capacity)
        self._newest = {}

    def reserve(self):
        job = super().reserve()
        self._newest[job.id] = job.attempt
        return job

    def ack(self, id, attempt):
        return super().ack(id, self._newest[id])


class Hangs(Queue):
    __slots__ = ()

    def cancel(self, id):
        while True:
            pass


def test_a_queue_beside_the_rules_is_shown_where_it_parts():
    lab = played(1, *STALE, queue_class=ForgetsTheFence)
    assert "ForgetsTheFence runs beside the rules" in page(lab)
    assert "parts from" not in page(lab)
    fill(lab, "attempt", 1, which=1)
    press(lab, "ack a")
    assert "Here ForgetsTheFence parts from the rules: it answers True; the rules say False (fence.exact)." in role(lab, "status")
    assert "attempt 1 is stale" in role(lab, "status")
    press(lab, "cancel a")
    assert "It parted from the rules at operation 5 already." in role(lab, "status")
    assert "ForgetsTheFence" in str(lab)


def test_a_queue_that_hangs_is_told_and_the_lab_lives():
    lab = played(1, ["enqueue", "a", "A"], queue_class=Hangs)
    press(lab, "cancel a")
    assert "Here Hangs parts from the rules: it was stopped, stuck in one place" in role(lab, "status")
    press(lab, "undo")
    press(lab, "reserve")
    assert "parts" not in role(lab, "status")


@pytest.mark.parametrize("payload", HOSTILE)
def test_payloads_are_shown_as_they_are(payload):
    lab = Lab(capacity=2, missions="05-fencing")
    fill(lab, "payload", payload)
    press(lab, "enqueue")
    press(lab, "reserve")
    assert json.dumps(payload) in page(lab)
    assert f'a "{payload}" #1' in alt(lab).replace(f"answers a \"{payload}\" #1", f'a "{payload}" #1')
    for value in markup(lab):
        assert "<script" not in value
        assert not re.search(r"&(?!amp;|lt;|gt;|quot;|#x27;)", re.sub(r"<style>.*?</style>", "", value, flags=re.DOTALL))
    assert payload in str(lab)


def test_names_and_words_of_others_are_shown_as_they_are():
    class Odd(Queue):
        __slots__ = ()

        def cancel(self, id):
            return "<b>&amp;</b>"

    goal = "Do <b>this</b> &amp; that."
    lab = Lab(Scenario(1, (("cancel", "a"),), name="<b>&amp;</b>"), queue_class=Odd, missions=Mission(goal, "fifo.missing"))
    assert "Opened <b>&amp;</b>: 1 operation" in role(lab, "status")
    assert 'answers "<b>&amp;</b>"' in role(lab, "status").replace("'", '"')
    press(lab, "reserve")
    assert f"Mission reached: {goal}" in role(lab, "status")
    assert goal in page(lab).split("Missions:")[1]
    assert not any("<b>this" in value for value in markup(lab))


def test_nothing_fails_in_silence(monkeypatch):
    lab = played(1, *STALE)
    monkeypatch.setattr(lab._session, "undo", lambda: 1 / 0)
    monkeypatch.setattr(lab._time.undo, "_click_handlers", ipywidgets.CallbackDispatcher())
    lab._time.undo.on_click(lambda _: lab._run(lab._time.message, lab._session.undo))
    press(lab, "undo")
    assert "This is a mistake of the lab, not yours: ZeroDivisionError: division by zero" in role(lab, "alert")
    press(lab, "reserve")
    assert lab.history.ops[-1] == ("reserve",)


def test_every_control_is_labelled_and_no_button_has_an_icon():
    lab = played(2, ["enqueue", "a", "A"], ["enqueue", "b", "B"], ["reserve"])
    press(lab, "show open and save")
    controls = [each for each in widgets(lab) if isinstance(each, ipywidgets.ValueWidget | ipywidgets.Button)
                and not isinstance(each, ipywidgets.HTML)]
    assert len(controls) > 30
    for control in controls:
        assert control.tooltip
        if not isinstance(control, ipywidgets.IntSlider | ipywidgets.Play):  # FACTS: they can have no name;
            assert control.description  # first, back, forward, last and the number do the same
        if isinstance(control, ipywidgets.Button):
            assert not control.icon
    assert len(names(lab)) == len(set(names(lab))), "two buttons have one name"
    assert "JupyterLab's own single keys stay live" in page(lab)


def test_widgets_are_reused_over_a_thousand_steps():
    lab = Lab(capacity=3)
    ops = [["enqueue", "a", "A"], ["enqueue", "b", "B"], ["enqueue", "c", "C"], ["reserve"], ["retry", "a", 1],
           ["cancel", "b"], ["new"], ["use", 0]]
    for op in ops:
        lab.do(op)
    lab._show_picture = lambda: None  # drawing is measured elsewhere
    before = len(REGISTRY)
    for number in range(1000):
        if lab.cursor == 64 or number % 50 == 0:
            lab.goto(0)
        lab.do(ops[number % 6])
    assert len(REGISTRY) == before


def test_the_output_of_a_cell_is_the_controls_the_picture_and_the_text_twin():
    lab = played(1, *STALE)
    bundle = lab._repr_mimebundle_()
    assert bundle["text/plain"] == str(lab) == repr(lab)
    assert bundle["text/plain"] == played(1, *STALE)._repr_mimebundle_()["text/plain"], "it is stable"
    assert "in flight #2" in bundle["text/plain"]
    assert "application/vnd.jupyter.widget-view+json" in bundle
    assert 'alt="Timeline.' in bundle["text/html"]
    assert "attempt 2: reservation 2 of this job" in bundle["text/html"]
    assert lab._model_id not in bundle["text/html"]
    assert "Nothing has happened yet" in Lab()._repr_mimebundle_()["text/html"]


def test_a_lab_is_made_of_anything_that_it_can_open():
    ops = tuple(map(tuple, STALE))
    for source in (Scenario(1, ops), Scenario(1, ops).to_json(), played(1, *STALE).history, {"capacity": 1, "ops": ops}):
        assert Lab(source).history.ops == ops
    assert Lab("fifo").cursor == 7
    assert Lab(3).history.capacity == Lab(capacity=3).history.capacity == 3
    assert Lab(queue_class=Queue).history.capacity == 2


def test_importing_the_lab_opens_no_pyplot():
    code = "import sys, retryq.lab; print('matplotlib.pyplot' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"
