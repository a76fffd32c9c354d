"""The picture: that it shows what is true, holds labels as they are, and comes out of every door alike."""

from __future__ import annotations

import base64
import io
import json
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace
from xml.etree import ElementTree

import matplotlib
import numpy as np
import pytest
from in_this_process import command
from matplotlib.figure import Figure
from matplotlib.transforms import Affine2D
from PIL import Image, ImageFilter
from random_runs import random_run
from reading_timelines import boxes_of, extents, from_history, from_picture, from_text, words_of
from timeline_runs import LABELS, LESSON, LONG, PICTURES, STALE, crowded, hostile, report

from retryq import history
from retryq.drawing.ink import Words
from retryq.drawing.palette import WORDS
from retryq.drawing.sheet import Word
from retryq.history import History
from retryq.rules import CLAUSES
from retryq.scenario import Scenario, parse
from retryq.timeline import Timeline, _kinds

ROOT = Path(__file__).resolve().parent.parent
WITNESSES = [witness for clause in CLAUSES.values() for witness in clause.witnesses]


# -------------------------------------------------------------------------------- the picture tells the truth


def test_picture_and_text_twin_show_the_same_bars_marks_and_words_in_the_same_lanes_and_columns() -> None:
    runs = [*WITNESSES, LESSON, hostile(), crowded(), *(random_run(seed, 64, 8) for seed in range(6))]
    for number, scenario in enumerate(runs):
        timeline = Timeline(scenario, number % (len(scenario.ops) + 1) if number % 2 else None)
        seen, read = from_picture(timeline.figure()), from_text(timeline.text())
        steps = timeline.history.steps
        assert seen == from_history(timeline.history), scenario.name
        assert read == {key: cell for key, cell in seen.items() if steps[key[2]].after.selected == key[0]}


def test_every_word_of_the_layout_is_in_the_picture_and_in_the_text_twin() -> None:
    for name, timeline in PICTURES.items():
        drawn = " ".join(" ".join(word.text for word, _ in words_of(timeline.figure())).split())
        text = " ".join(timeline.text().split())
        for index, column in enumerate(timeline.layout.columns, 1):
            for word in (str(index), column.words[0], column.answer[-1]):
                assert f" {word} " in f" {drawn} ", (name, word)
            assert all(" ".join(word.split()) in text for word in column.words), name
        for panel in timeline.layout.panels:
            for lane in panel.lanes:
                assert f" {lane.id} " in f" {drawn} " and lane.id in text, name


def test_under_each_operation_stand_its_answer_and_the_few_words_of_why() -> None:
    for timeline in PICTURES.values():
        columns = timeline.layout.columns
        said: dict[int, list[str]] = {}
        for word, _ in words_of(timeline.figure()):
            if word.tag and word.tag[0] == "answer" and word.tag[3] is not None:
                said.setdefault(word.tag[3], []).append(word.text)
        assert sorted(said) == list(range(len(columns)))
        for index, column in enumerate(columns):
            if len(column.answer) == 1:
                assert " ".join(said[index]) == f"{column.answer[0]} {column.hint}".strip()
            else:
                assert column.answer[2] in " ".join(said[index])


def test_slots_are_drawn_for_every_queue_and_column() -> None:
    figure, layout = PICTURES["random 3"].figure(), PICTURES["random 3"].layout
    drawn = {
        word.tag[1:4:2]: word
        for word, _ in words_of(figure)
        if word.tag and word.tag[0] == "slots" and word.tag[3] is not None
    }
    for (queue, index), word in drawn.items():
        use = layout.panels[queue].slots[index]
        assert use is not None and word.text == f"{use.waiting + use.in_flight} of {sum(use)}"
    assert {(column.queue, index) for index, column in enumerate(layout.columns)} <= set(drawn)


def test_above_each_count_the_slots_are_stacked_in_flight_waiting_and_free() -> None:
    figure, layout = Timeline(LESSON).figure(), Timeline(LESSON).layout
    boxes = sorted(boxes_of(figure), key=lambda shape: shape[1][1])
    for word, _ in words_of(figure):
        if word.tag and word.tag[0] == "slots" and word.tag[3] is not None:
            x, use = word.x + 5, layout.panels[0].slots[word.tag[3]]
            stack = [
                style
                for style, (left, low, right, _) in boxes
                if left < x < right and word.y < low < word.y + 35
            ]
            assert (
                use
                and stack == ["in flight"] * use.in_flight + ["waiting"] * use.waiting + ["free"] * use.free
            )


def test_what_comes_after_the_cursor_is_faded_and_nothing_else() -> None:
    for cursor in range(len(LESSON.ops) + 1):
        figure = Timeline(LESSON, cursor).figure()
        for word, colour in words_of(figure):
            if word.tag and word.tag[3] is not None and word.tag[0] != "now":
                assert (colour == WORDS["later"]) == (word.tag[3] >= cursor), word
            if word.tag and word.tag[0] == "lane":
                first = {"a": 0, "b": 1, "c": 3, "no job": 11}.get(word.text, 0 if word.text == '"A"' else 1)
                assert (colour == WORDS["later"]) == (first >= cursor), word
        now = next(word for word, _ in words_of(figure) if word.text == "now")
        assert now.y > max(word.y for word, _ in words_of(figure) if word is not now)
        edge = now.x + 8
        for style, (left, _, right, _) in boxes_of(figure):
            assert right < edge + 12 if " later" not in style else left > edge - 12
    assert not [style for style, _ in boxes_of(Timeline(LESSON).figure()) if "later" in style]


def test_where_two_runs_part_is_marked_and_both_answers_stand_there() -> None:
    figure = PICTURES["parted"].figure()
    words = [word for word, _ in words_of(figure)]
    texts = {word.text for word in words}
    [(left, low, right, high)] = [box for style, box in boxes_of(figure) if style == "parts"]
    inside = {word.text for word in words if left < word.x < right and low < word.y < high}
    assert {"5", "ack", "a #1", "False", "True", "stale: now #2"} <= inside and "4" not in inside
    assert {
        "the rules",
        "your queue",
        "Operation 5, ack a #1. The rules: False. Your queue: True.",
        "refused: attempt 1 is stale, the current attempt of a is 2 (fence.exact)",
    } <= texts


def test_a_report_says_where_they_part_even_where_the_answers_look_alike() -> None:
    right = [True, ["a", "A", 1], True, ["a", "A", 2], False]
    assert Timeline(report(STALE, right, index=1)).layout.parts_at == 1


def test_queues_stand_under_each_other_with_their_own_operations() -> None:
    ops = (("enqueue", "a", "A"), ("new",), ("enqueue", "a", "other"), ("use", 0), ("reserve",))
    words = [word for word, _ in words_of(Timeline(Scenario(1, ops)).figure())]
    titles = {
        word.text: word.y for word in words if word.text in ("queue 0", "queue 1") and word.tag[0] == "queue"
    }
    heads = {word.text: word.y for word in words if word.tag and word.tag[0] == "number"}
    assert titles["queue 0"] > titles["queue 1"]
    assert all(heads[number] > titles["queue 1"] + 20 for number in "145")
    assert all(abs(heads[number] - titles["queue 1"]) < 20 for number in "23")


# ------------------------------------------------------------------------------------------ labels are data


@pytest.mark.parametrize("label", LABELS)
def test_labels_are_drawn_as_they_are(label: str) -> None:
    timeline = Timeline(Scenario(1, (("enqueue", "a", label), ("reserve",))))
    drawn = [word.text for word, _ in words_of(timeline.figure())]
    assert drawn.count(f'"{label}"') == 3, "under enqueue, in the name of the lane, under the answer"


def test_a_formula_is_as_wide_as_its_letters_and_no_setting_turns_it_into_one() -> None:
    scenario = Scenario(1, (("enqueue", "a", "$x$"),))
    plain = Timeline(scenario).png()
    with matplotlib.rc_context(
        {
            "text.usetex": True,
            "text.parse_math": True,
            "font.size": 30,
            "savefig.dpi": 10,
            "font.family": "serif",
            "figure.facecolor": "black",
            "lines.linewidth": 9,
        }
    ):
        assert Timeline(scenario).png() == plain
    wide = {}
    for payload in ("x", "$x$"):
        drawn = extents(Timeline(Scenario(1, (("enqueue", "a", payload),))).figure())
        wide[payload] = next(box[2] - box[0] for text, box in drawn if text == f'"{payload}"')
    assert wide["$x$"] > wide["x"] + 8


class Tags(HTMLParser):
    """The tags of a page with what they hold."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attributes)))

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.mark.parametrize("label", LABELS)
def test_html_holds_labels_as_they_are(label: str) -> None:
    scenario = Scenario(1, (("enqueue", "a", label), ("enqueue", "a", label)))
    bundle = Timeline(scenario)._repr_mimebundle_()
    page = Tags(bundle["text/html"])
    assert [tag for tag, _ in page.tags] == ["div", "img", "details", "summary", "ol", "li", "b", "code"]
    assert f'1: enqueue a "{label}" answers True.' in page.tags[1][1]["alt"]
    assert f'enqueue a "{label}": refused: a was accepted before and is waiting' in page.text


def test_html_holds_the_ids_of_any_history_as_they_are() -> None:
    page = Tags(Timeline(History.start(1).do(("cancel", "<b>&amp;")))._repr_mimebundle_()["text/html"])
    assert (
        "refused: <b>&amp; was never accepted" in page.text and [tag for tag, _ in page.tags].count("b") == 1
    )


def test_a_saved_formula_has_as_many_letters_as_it_is_written_with(tmp_path: Path) -> None:
    letters = {}
    for payload in ("$x$", "yxy"):
        Timeline(Scenario(1, (("enqueue", "a", payload),))).save(tmp_path / "run.svg")
        root = ElementTree.parse(tmp_path / "run.svg").getroot()
        letters[payload] = sum(element.tag.endswith("}use") for element in root.iter())
    assert letters["$x$"] == letters["yxy"] > 20


@pytest.mark.parametrize("label", LABELS)
def test_saved_files_hold_labels_as_they_are(label: str, tmp_path: Path) -> None:
    timeline = Timeline(Scenario(1, (("enqueue", "a", label),)))
    timeline.save(tmp_path / "run.svg")
    root = ElementTree.parse(tmp_path / "run.svg").getroot()
    assert root.get("role") == "img" and root.get("aria-label") == timeline.alt
    assert f'enqueue a "{label}" answers' in root.get("aria-label", "")
    assert "script" not in {element.tag.rpartition("}")[2] for element in root.iter()}
    timeline.save(tmp_path / "run.pdf")
    assert (tmp_path / "run.pdf").read_bytes().startswith(b"%PDF")


# ------------------------------------------------------------------------------------------ the doors


def test_in_a_notebook_it_is_an_opaque_picture_with_an_alternative_and_a_text_twin() -> None:
    timeline = Timeline(LESSON)
    bundle = timeline._repr_mimebundle_()
    assert set(bundle) == {"text/plain", "text/html"}
    assert bundle["text/plain"] == timeline.text() == str(timeline) == repr(timeline)
    _, (tag, attributes), *_ = Tags(bundle["text/html"]).tags
    assert (
        tag == "img"
        and attributes["alt"] == timeline.alt
        and "background: #fff" in (attributes["style"] or "")
    )
    kind, data = (attributes["src"] or "").split(",")
    assert kind == "data:image/png;base64"
    image = Image.open(io.BytesIO(base64.b64decode(data)))
    assert "transparency" not in image.info and image.convert("RGB").getpixel((0, 0)) == (255, 255, 255)
    assert abs(float(attributes["width"] or 0) - timeline.figure().get_size_inches()[0] * 96) <= 2


def test_the_whys_stand_folded_under_the_picture_numbered_as_the_operations_are() -> None:
    page = Timeline(LESSON)._repr_mimebundle_()["text/html"]
    assert re.findall(r'<li value="(\d+)">', page) == ["4", "8", "11", "12"]
    assert "attempt 1 is stale, the current attempt of a is 2 (<code>fence.exact</code>)" in page
    assert "<details>" not in Timeline(Scenario(1, (("enqueue", "a", "A"),)))._repr_mimebundle_()["text/html"]
    assert "attempt 1 is stale" in Timeline(LESSON).notes


@pytest.mark.parametrize("level", range(10))
def test_every_compression_gives_the_same_picture(level: int) -> None:
    plain = np.asarray(Image.open(io.BytesIO(Timeline(LESSON).png(dpi=72, level=0))).convert("RGB"), int)
    other = np.asarray(Image.open(io.BytesIO(Timeline(LESSON).png(dpi=72, level=level))).convert("RGB"), int)
    assert plain.shape == other.shape
    assert np.abs(plain - other).max() <= (16 if level >= 6 else 0)
    assert np.abs(plain - other).mean() < 0.2
    fills = {tuple(pixel) for pixel in plain[::3, ::3].reshape(-1, 3).tolist()}
    assert (0, 114, 178) in fills


def test_the_png_is_what_matplotlib_draws() -> None:
    figure = Timeline(LESSON).figure()
    drawn = io.BytesIO()
    figure.savefig(drawn, format="png", dpi=100)
    theirs = np.asarray(Image.open(drawn).convert("RGB"), int)
    picture = Image.open(io.BytesIO(Timeline(LESSON).png(dpi=100)))
    ours = np.asarray(picture.convert("RGB"), int)
    assert ours.shape == theirs.shape and abs(ours - theirs).max() < 16  # in fewer colours, no eye sees which
    assert abs(ours - theirs).mean() < 0.5
    assert picture.getpixel((0, 0)) == picture.getpixel((2, 2)) and (ours[0, 0] == 255).all()


def ink_of(figure: Figure, dpi: int) -> np.ndarray:
    """How dark each pixel is, a little blurred."""
    file = io.BytesIO()
    figure.savefig(file, format="png", dpi=dpi)
    return 255 - np.asarray(Image.open(file).convert("L").filter(ImageFilter.BoxBlur(1)), float)


def written_by_matplotlib(word: Word, colour: str, figure: Figure) -> None:
    width, height = figure.get_size_inches() * 72
    weight = "bold" if word.bold else "normal"
    figure.text(word.x / width, word.y / height, word.text, fontsize=word.size, color=colour, fontweight=weight,
                family="DejaVu Sans", parse_math=False)  # fmt: skip


def test_the_words_stand_upright_where_matplotlib_itself_would_write_them() -> None:
    figure = Timeline(LESSON).figure()
    plain = Figure(figsize=figure.get_size_inches())
    for artist in list(figure.artists):
        if not isinstance(artist, Words):
            artist.remove()
    for word, colour in words_of(figure):
        written_by_matplotlib(word, colour, plain)
    ours, theirs = ink_of(figure, 144), ink_of(plain, 144)
    assert np.abs(ours - theirs).sum() < 0.35 * theirs.sum()  # they differ by the half of a pixel, and in hinting


@pytest.mark.parametrize("text", ['"+"', '"="', '"LIFE"', "[|]"])
def test_a_small_word_of_upright_and_level_strokes_is_not_bent_to_the_pixels(text: str) -> None:
    word, ours, theirs = Word(text, 10, 10, 8.5, False, "ink"), Figure(figsize=(1.2, 0.4)), Figure(figsize=(1.2, 0.4))
    ours.add_artist(Words([word], "#1a1a1a", Affine2D().scale(1 / 72) + ours.dpi_scale_trans))
    written_by_matplotlib(word, "#1a1a1a", theirs)
    assert np.abs(ink_of(ours, 96) - ink_of(theirs, 96)).sum() < 0.32 * ink_of(theirs, 96).sum()


def test_no_setting_of_matplotlib_gets_into_a_picture_or_stays_in_it(tmp_path: Path) -> None:
    timeline = Timeline(LESSON)
    settings = {"path.sketch": (1, 100, 2), "path.snap": False, "patch.antialiased": False, "lines.antialiased": False,
                "savefig.bbox": "tight", "savefig.transparent": True, "path.simplify": False}  # fmt: skip

    def drawn(name: str) -> list[bytes]:
        _kinds.cache_clear()
        for kind in ("svg", "pdf"):
            timeline.save(tmp_path / f"{name}.{kind}")
        return [timeline.png(), *((tmp_path / f"{name}.{kind}").read_bytes() for kind in ("svg", "pdf"))]

    plain = drawn("plain")
    with matplotlib.rc_context(settings):
        assert drawn("set") == plain
    assert Timeline(LESSON).png() == plain[0]


@pytest.mark.parametrize("dpi", [0, -5, float("nan"), float("inf"), "96", 5000])
def test_a_resolution_that_is_none_is_told(dpi: object) -> None:
    with pytest.raises(ValueError, match="dpi must be a number from 10 to 1200, got"):
        Timeline(LESSON).png(dpi=dpi)  # type: ignore[arg-type]


@pytest.mark.parametrize("dpi", [96, 144])
def test_a_long_run_is_one_picture_whether_drawn_row_by_row_or_at_once(dpi: int) -> None:
    timeline = Timeline(LONG)
    rows = np.asarray(Image.open(io.BytesIO(timeline.png(dpi=dpi))).convert("RGB"), int)
    file = io.BytesIO()
    timeline.figure().savefig(file, format="png", dpi=dpi)
    at_once = np.asarray(Image.open(file).convert("RGB"), int)
    assert rows.shape == at_once.shape and np.abs(rows - at_once).max() < 16  # the fewer colours of a PNG


def test_a_step_on_a_long_run_draws_the_last_row_alone() -> None:
    run = history.run(LONG)
    Timeline(run).png()
    drawn = _kinds.cache_info().misses
    Timeline(run.do(["reserve"])).png()
    assert _kinds.cache_info().misses == drawn + 1


@pytest.mark.parametrize("kind", ["svg", "png", "pdf", "PNG"])
def test_it_is_saved_by_its_ending_and_the_same_run_gives_the_same_file(kind: str, tmp_path: Path) -> None:
    begins = {"svg": b"<?xml", "png": b"\x89PNG", "pdf": b"%PDF"}[kind.lower()]
    for name in ("one", "two"):
        Timeline(LESSON, 3).save(tmp_path / f"{name}.{kind}")
    one, two = ((tmp_path / f"{name}.{kind}").read_bytes() for name in ("one", "two"))
    assert one == two and one.startswith(begins)
    Timeline(LESSON, 3).save(str(tmp_path / f"three.{kind}"))
    assert (tmp_path / f"three.{kind}").read_bytes() == one


@pytest.mark.parametrize("name", ["run.gif", "run", "svg", "run.", "run.svg.txt"])
def test_another_ending_is_refused_in_words_and_nothing_is_written(name: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"a timeline is saved as \.svg, \.png or \.pdf, got '.*'"):
        Timeline(LESSON).save(tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_it_takes_a_history_a_scenario_a_witness_or_a_report() -> None:
    run = history.run(LESSON)
    witness = CLAUSES["fence.exact"].witnesses[0]
    assert Timeline(run).text() == Timeline(LESSON).text()
    assert Timeline(witness).text().startswith(f"{witness.name}: capacity 1, ")
    assert Timeline(parse('{"name": "no", "capacity": 1, "ops": [["reserve"]]}')).layout.title == "no"
    answers = (True, ("a", "A", 1), True, ("a", "A", 2), True)
    parted = Timeline(History(1, history.run(STALE).steps, answers))
    assert parted.text() == PICTURES["parted"].text()


@pytest.mark.parametrize(
    ("given", "error", "words"),
    [
        ([], TypeError, "made of a history, a scenario or a report, got list"),
        (None, TypeError, "got NoneType"),
        (SimpleNamespace(counterexample=None), ValueError, "no counterexample, so there is nothing to draw"),
    ],
)
def test_what_cannot_be_drawn_is_refused_in_words(given: object, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        Timeline(given)


def test_no_figure_stays_open_and_nothing_grows() -> None:
    code = f"""
import gc, json, sys
from retryq.scenario import Scenario
from retryq.timeline import Timeline
ops = {LESSON.ops!r}
def draw():
    for cursor in range(0, 13, 2):
        Timeline(Scenario(2, ops), cursor).html()
    gc.collect()
    return len(gc.get_objects())
draw()
before = draw()
for _ in range(3):
    after = draw()
print(json.dumps([after - before, "matplotlib.pyplot" in sys.modules]))
"""
    answer = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )
    grown, pyplot = json.loads(answer.stdout)
    assert grown < 50 and pyplot is False


# ---------------------------------------------------------------------------------------- the command, README


def draw(*arguments: str, given: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "retryq", "draw", *arguments],
        input=given,
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )


def test_the_command_prints_the_text_twin_or_writes_a_picture(tmp_path: Path) -> None:
    given = LESSON.to_json()
    printed = draw("-", "--cursor", "5", given=given)
    assert (printed.returncode, printed.stdout, printed.stderr) == (0, Timeline(LESSON, 5).text() + "\n", "")
    (tmp_path / "run.json").write_text(given)
    written = draw(str(tmp_path / "run.json"), "-o", str(tmp_path / "run.png"))
    assert (written.returncode, written.stdout, written.stderr) == (0, "", "")
    assert (tmp_path / "run.png").read_bytes() == Timeline(LESSON).png(level=9)


@pytest.mark.parametrize(
    ("arguments", "given", "words"),
    [
        (["-"], "{", "<stdin>: text: is not JSON"),
        (["-"], '{"capacity": 99, "ops": []}', "<stdin>: capacity: must be an integer 0-16, got 99"),
        (["-", "--cursor", "2"], '{"capacity": 1, "ops": []}', "--cursor must be 0 to 0, got 2"),
        (
            ["-", "-o", "run.gif"],
            '{"capacity": 1, "ops": []}',
            "a timeline is saved as .svg, .png or .pdf, got 'run.gif'",
        ),
        (
            ["-", "-o", "no/such/folder/run.svg"],
            '{"capacity": 1, "ops": []}',
            "no/such/folder/run.svg: cannot be written",
        ),
        (["no-such-file.json"], "", "no-such-file.json: cannot be read"),
    ],
)
def test_the_command_says_in_one_line_what_is_wrong(arguments: list[str], given: str, words: str) -> None:
    answer = command("draw", *arguments, given=given)
    assert answer.returncode == 2 and answer.stdout == ""
    assert answer.stderr.startswith(words) and answer.stderr.count("\n") == 1


def test_readme_opens_with_a_picture_that_the_kit_draws() -> None:
    """Made by: python -m retryq draw notebooks/images/timeline.json -o notebooks/images/timeline.png"""
    images = ROOT / "notebooks" / "images"
    timeline = Timeline(parse((images / "timeline.json").read_bytes()))
    stored = np.asarray(Image.open(images / "timeline.png").convert("RGB"), float)
    now = np.asarray(Image.open(io.BytesIO(timeline.png(level=9))).convert("RGB"), float)
    assert stored.shape == now.shape and np.abs(stored - now).mean() < 0.5, "draw it again: see above"
    kinds = {cell.state for cell in from_picture(timeline.figure()).values()}
    marks = {mark for cell in from_picture(timeline.figure()).values() for mark in cell.marks}
    assert kinds == {"waiting", "in flight", ""} and marks == {"refused", "acknowledged", "cancelled"}
