"""The states of a small queue as a map: where each stands on the page, what is written on it, and which arrows lead on.

Plain data for a picture, and printed it is the picture's text twin. A state stands as far to the right as it is
operations away from the empty queue.

>>> from retryq.statespace import explore
>>> print(text(statemap(explore(1, ["a"], 1))))  # doctest: +ELLIPSIS
Capacity 1, id a, attempts up to 1: 7 states, ...
"""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from typing import NamedTuple

from retryq import model
from retryq.statespace import Graph
from retryq.tour import Tour, count, label

__all__ = ["MOST", "Arrow", "Node", "StateMap", "rows", "statemap", "text"]

MOST = 30  # states that one picture can hold and still be read
_ROWS = {model.ACKNOWLEDGED: 0, model.CANCELLED: 2}  # what is finished stands above or below the line of what is not
WIDTH = 100


class Node(NamedTuple):
    """A state on the map: its place in the graph, where it stands, how its job is (or "empty"), what is said of the
    job's attempts, and how many operations change nothing in it."""

    place: int
    column: int
    row: int
    status: str
    attempt: str
    refusals: int
    walked: bool


class Arrow(NamedTuple):
    """An operation that leads from one state to another, or (``target`` is None) out of what was looked at."""

    source: int
    target: int | None
    label: str
    walked: bool


@dataclass(frozen=True)
class StateMap:
    """What is to be drawn. ``toured`` says whether some of it is marked as walked."""

    graph: Graph
    nodes: tuple[Node, ...]
    arrows: tuple[Arrow, ...]
    toured: bool


def statemap(graph: Graph, tour: Tour | None = None) -> StateMap:
    """Lay the states of one job out. ``ValueError`` for a scope of several ids or of more than `MOST` states: such a
    picture could not be read."""
    if len(graph.ids) != 1 or len(graph) > MOST:
        raise ValueError(f"a picture holds one id and up to {MOST} states, and this scope has "
                         f"{count(len(graph.ids), 'id')} and {count(len(graph), 'state')}: look at a smaller one")
    nodes = tuple(_node(graph, place, tour is not None and place in tour.states) for place in range(len(graph)))
    arrows = tuple(
        Arrow(move.source, move.target, label(move.op), tour is not None and (move.source, move.op) in tour.walked)
        for offers in graph.transitions for move in offers if move.changes
    )
    return StateMap(graph, nodes, arrows, tour is not None)


def rows(drawn: StateMap) -> list[tuple[str, str, str, str]]:
    """For each state: its number, how it is, where its arrows lead, and how many operations change nothing in it."""
    found = []
    for node in drawn.nodes:
        leads = "; ".join(_leads(arrow) for arrow in drawn.arrows if arrow.source == node.place)
        told = f"{node.status} {node.attempt}".strip()
        found.append((f"{node.place}{' *' if node.walked else ''}", told, leads or "nowhere", str(node.refusals)))
    return found


def text(drawn: StateMap) -> str:
    """The map in words, a line for each state."""
    table = [("", "state", "leads on", "change nothing"), *rows(drawn)]
    widths = [max(len(row[column]) for row in table) for column in range(4)]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in table]
    return "\n".join([textwrap.fill(str(drawn.graph), WIDTH), "", *lines, *(["", "*: walked."] if drawn.toured else [])])


def _leads(arrow: Arrow) -> str:
    where = "off the map" if arrow.target is None else f"to {arrow.target}"
    return f"{arrow.label} {where}{' *' if arrow.walked else ''}"


def _node(graph: Graph, place: int, walked: bool) -> Node:
    job = graph.states[place].current.job(graph.ids[0])
    status = "empty" if job is None else job.status
    attempt = f"#{job.attempt}" if job is not None and job.attempt else ""
    if attempt and status != model.IN_FLIGHT:
        attempt = f"after {attempt}"
    refusals = sum(not offer.changes for offer in graph.transitions[place])
    return Node(place, len(graph.ways[place]), _ROWS.get(status, 1), status, attempt, refusals, walked)
