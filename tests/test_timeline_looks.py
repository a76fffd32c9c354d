"""That a timeline can be read: by everybody, from the last row, in grey, at every size."""

from __future__ import annotations

import io
from functools import cache

import numpy as np
import pytest
from matplotlib.figure import Figure
from PIL import Image
from reading_timelines import boxes_of, extents, words_of
from timeline_runs import LESSON, PICTURES

from retryq.drawing.palette import AREAS, LINES, PAPER, contrast
from retryq.timeline import Timeline

SLACK = 0.75  # points: Agg counts whole pixels


@cache
def _figure(name: str) -> Figure:
    return PICTURES[name].figure()


@pytest.fixture(params=PICTURES, name="figure")
def each_picture(request: pytest.FixtureRequest) -> Figure:
    return _figure(request.param)


def _meet(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Which boxes of one list overlap which of the other."""
    low = np.maximum(one[:, None, :2], other[None, :, :2])
    high = np.minimum(one[:, None, 2:], other[None, :, 2:])
    return (high - low > SLACK).all(axis=2)


def test_words_neither_overlap_nor_leave_the_sheet(figure: Figure) -> None:
    found = extents(figure)
    boxes = np.array([box for _, box in found])
    pairs = np.argwhere(np.triu(_meet(boxes, boxes), 1))
    assert [(found[one][0], found[other][0]) for one, other in pairs] == []
    everything = np.array([*boxes, *(box for _, box in boxes_of(figure))])
    assert (everything[:, :2] > 2).all() and (everything[:, 2:] < figure.get_size_inches() * 72 - 2).all()


def test_no_word_lies_under_a_mark_or_across_the_edge_of_a_bar(figure: Figure) -> None:
    found, shapes = extents(figure), list(boxes_of(figure))
    words, boxes = np.array([box for _, box in found]), np.array([box for _, box in shapes]).reshape(-1, 4)
    for one, other in np.argwhere(_meet(words, boxes)):
        kind = shapes[other][0].removesuffix(" later")
        assert kind not in ("refused", "acknowledged", "cancelled"), (found[one][0], kind)
        if kind in ("waiting", "in flight", "label"):
            assert boxes[other][0] <= words[one][0] + SLACK and words[one][2] - SLACK <= boxes[other][2], (
                found[one][0]
            )


def test_a_page_is_no_wider_than_a_screen_and_nothing_is_tiny(figure: Figure) -> None:
    assert figure.get_size_inches()[0] <= 13
    assert min(word.size for word, _ in words_of(figure)) >= 6.5


def test_every_word_stands_out_from_what_is_behind_it(figure: Figure) -> None:
    boxes = [(AREAS[style].fill, box) for style, box in boxes_of(figure)]
    for word, colour in words_of(figure):
        x, y = word.x + 1, word.y + word.size / 3
        behind = [fill for fill, (x0, y0, x1, y1) in boxes if x0 < x < x1 and y0 < y < y1]
        assert contrast(colour, behind[-1] if behind else PAPER) >= 4.5, word


def test_every_mark_stands_out_from_the_paper_and_its_stroke_from_the_mark() -> None:
    for style, area in AREAS.items():
        if not style.startswith("label"):
            assert contrast(area.edge, PAPER) >= 3, style
        if style.split()[0] in ("refused", "acknowledged", "cancelled"):
            assert contrast(area.on, area.fill) >= 3, style
    assert contrast(AREAS["refused"].fill, AREAS["in flight"].fill) >= 3
    assert contrast(LINES["cursor"][0], PAPER) >= 4.5


def test_in_grey_a_job_in_flight_is_dark_and_a_waiting_one_is_light_and_hatched() -> None:
    figure = Timeline(LESSON).figure()
    assert contrast(AREAS["in flight"].fill, AREAS["waiting"].fill) >= 4.5
    hatched = [artist.get_gid() for artist in figure.artists if (artist.get_gid() or "").endswith("hatch")]
    assert hatched == ["waiting hatch"]
    image = Image.open(io.BytesIO(Timeline(LESSON).png(dpi=144))).convert("L")
    pixels = np.asarray(image)
    boxes = {style: box for style, box in boxes_of(figure)}
    spread = {}
    for style in ("waiting", "in flight"):
        left, low, _, high = (round(edge * 2) for edge in boxes[style])
        part = pixels[pixels.shape[0] - high + 4 : pixels.shape[0] - low - 4, left + 4 : left + 14]
        spread[style] = (part.mean(), part.std())
    assert (
        spread["in flight"][0] + 80 < spread["waiting"][0]
        and spread["waiting"][1] > 10 > spread["in flight"][1]
    )


def test_states_differ_in_more_than_colour() -> None:
    figure = Timeline(LESSON).figure()
    texts = {word.text for word, _ in words_of(figure)}
    assert {"waiting", "in flight", "acknowledged", "cancelled", "1st", "#1"} <= texts
    strokes = {
        artist.get_gid(): len(artist.get_segments())
        for artist in figure.artists
        if (artist.get_gid() or "").split(" ")[0] in ("refused", "acknowledged", "cancelled")
        and hasattr(artist, "get_segments")
    }
    assert strokes == {"refused stroke": 8, "acknowledged stroke": 2, "cancelled stroke": 1}
    corners = {
        artist.get_gid(): {len(path.vertices) for path in artist.get_paths()}
        for artist in figure.artists
        if artist.get_gid() in ("refused", "acknowledged", "cancelled")
    }
    assert (
        max(corners["cancelled"]) < 6 < min(corners["refused"])
        and corners["acknowledged"] == corners["refused"]
    ), "a square and two discs"
