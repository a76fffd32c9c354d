"""The map of states: what is drawn, what is printed, and what a tour has walked."""

from __future__ import annotations

from pathlib import Path

import pytest
from matplotlib.patches import Circle, FancyArrowPatch, Rectangle

from retryq.drawing.palette import contrast
from retryq.stategraph import CELL, StateGraph
from retryq.statemap import rows, statemap
from retryq.statespace import explore
from retryq.tour import Tour

SMALL = explore(1, ["a"], 2)
A, TAKE, DROP = ["enqueue", "a", "A"], ["reserve"], ["cancel", "a"]


def words(picture: StateGraph) -> list[str]:
    return [text.get_text() for text in picture.figure().axes[0].texts]


@pytest.mark.parametrize("graph", [explore(0, ["a"], 1), explore(1, ["a"], 1), SMALL, explore(2, ["job-1"], 5)])
def test_every_state_and_every_arrow_is_drawn_and_printed(graph) -> None:
    picture = StateGraph(graph)
    drawn, printed = words(picture), picture.text()
    patches = picture.figure().axes[0].patches
    off = [move for offers in graph.transitions for move in offers if move.target is None]
    assert sum(isinstance(patch, Circle) for patch in patches) == len(graph)
    assert sum(isinstance(patch, FancyArrowPatch) for patch in patches) == len(list(graph.moves)) + len(off)
    for node, (number, state, leads, refusals) in zip(picture.map.nodes, rows(picture.map), strict=True):
        assert number == str(node.place) and number in drawn
        assert "\n".join(filter(None, (node.status, node.attempt))) in drawn
        assert f"{refusals} change nothing" in drawn
        assert any(line.split()[:1] == [number] and state in line and leads in line for line in printed.splitlines())
        assert state in picture.alt and leads in picture.alt
    for arrow in picture.map.arrows:
        assert arrow.label in drawn


def test_states_do_not_overlap_and_arrows_never_lead_back() -> None:
    nodes = statemap(explore(1, ["a"], 6)).nodes
    assert len({(node.column, node.row) for node in nodes}) == len(nodes)
    for arrow in statemap(SMALL).arrows:
        here, there = nodes[arrow.source], nodes[arrow.target or arrow.source]
        assert (here.column, here.row) <= (there.column, max(here.row, there.row))


def test_no_disc_comes_near_the_word_of_a_state() -> None:
    figure = StateGraph(explore(1, ["a"], 6)).figure()
    figure.draw_without_rendering()
    axes = figure.axes[0]
    room = 2 * figure.dpi / 72  # two points
    discs = [disc.get_window_extent().padded(room) for disc in axes.patches if isinstance(disc, Circle)]
    states = [text for text in axes.texts if text.get_weight() == "bold" and not text.get_text().isdigit()]
    assert len(states) == len(discs)
    touched = [text.get_text() for text in states if any(text.get_window_extent().overlaps(disc) for disc in discs)]
    assert touched == []


def test_no_words_leave_their_box_or_the_sheet() -> None:
    figure = StateGraph(explore(1, ["a"], 3)).figure()
    figure.draw_without_rendering()
    axes = figure.axes[0]
    boxes = [patch for patch in axes.patches if isinstance(patch, Rectangle) and patch.get_width() == CELL[0]]
    for text in axes.texts:
        extent = text.get_window_extent().transformed(axes.transData.inverted())
        assert extent.x0 >= 0 and extent.y0 >= 0
        assert extent.x1 <= axes.get_xlim()[1] and extent.y1 <= axes.get_ylim()[1], text.get_text()
        for box in boxes:
            x, y = text.get_position()
            if text.get_zorder() == 5 and box.contains_point(axes.transData.transform((x, y))):
                assert extent.x0 > box.get_x() and extent.x1 < box.get_x() + CELL[0], text.get_text()


def test_words_on_every_state_can_be_read() -> None:
    for tour in (None, Tour(SMALL, [[A, DROP]])):
        axes = StateGraph(SMALL, tour).figure().axes[0]
        for text in axes.texts:
            x, y = text.get_position()
            under = [patch for patch in axes.patches if isinstance(patch, Rectangle) and patch.get_fill()
                     and patch.get_x() <= x <= patch.get_x() + patch.get_width()
                     and patch.get_y() <= y <= patch.get_y() + patch.get_height()]
            if text.get_zorder() == 5:  # those on a badge stand on its white disc
                ground = _hex(under[-1].get_facecolor()) if under else "#ffffff"
                assert contrast(text.get_color(), ground) >= 4.5, (text.get_text(), ground)


def _hex(colour: tuple) -> str:
    return "#" + "".join(f"{round(part * 255):02x}" for part in colour[:3])


def test_a_walk_is_marked_in_picture_and_text() -> None:
    tour = Tour(SMALL, [[A, TAKE, ["ack", "a", 1]]])
    picture = StateGraph(SMALL, tour)
    assert [node.place for node in picture.map.nodes if node.walked] == [0, 1, 2, 4]
    assert "\n2 *  in flight #1" in picture.text() and "\n5    waiting after #1" in picture.text()
    assert "ack a #1 to 4 *" in picture.text() and "cancel a to 6 *" not in picture.text()
    widths = {patch.get_linewidth() for patch in picture.figure().axes[0].patches if isinstance(patch, FancyArrowPatch)}
    assert len(widths) == 2


def test_it_shows_itself_as_an_opaque_card_with_alt_and_text() -> None:
    shown = StateGraph(SMALL)._repr_mimebundle_()
    assert '<img alt="A map of states' in shown["text/html"] and "background: #fff" in shown["text/html"]
    assert shown["text/plain"] == StateGraph(SMALL).text()


@pytest.mark.parametrize("kind", ["png", "svg", "pdf"])
def test_the_same_map_gives_the_same_file(tmp_path: Path, kind: str) -> None:
    one, other = tmp_path / f"one.{kind}", tmp_path / f"other.{kind}"
    StateGraph(SMALL).save(one)
    StateGraph(SMALL).save(other)
    assert one.read_bytes() == other.read_bytes()


def test_another_ending_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="svg, .png or .pdf"):
        StateGraph(SMALL).save(tmp_path / "map.gif")


@pytest.mark.parametrize("graph", [explore(1, ["a", "b"], 1), explore(1, ["a"], 8)])
def test_what_could_not_be_read_is_not_drawn(graph) -> None:
    with pytest.raises(ValueError, match="look at a smaller one"):
        StateGraph(graph)


def test_a_tour_knows_what_is_left() -> None:
    tour = Tour(SMALL, [[A, TAKE, ["ack", "a", 2], DROP]])
    assert tour.states == {0, 1, 2, 6} and not tour.complete
    assert len(tour.unwalked) == 12 - 3
    assert "4 of 11 states and 3 of 12 arrows" in repr(tour)


@pytest.mark.parametrize(("runs", "where"), [
    ([[A], [A, ["ack", "b", 1]]], "run 2, operation 2: the map has no ack b 1"),
    ([[["ack", "a", 9]]], "run 1, operation 1"),
    ([[[]]], "run 1, operation 1"),
    ([[A, TAKE, ["retry", "a", 1], TAKE, ["retry", "a", 2], TAKE, DROP]], "run 1, operation 7: the operation before"),
])
def test_a_run_that_the_map_does_not_have_is_refused_with_its_place(runs: list, where: str) -> None:
    with pytest.raises(ValueError, match=where):
        Tour(SMALL, runs)
