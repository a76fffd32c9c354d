"""Four kinds of waiting line, and how many steps each takes: the elements that it looks at or moves.

The steps are reckoned from where the elements stand, by how CPython's own containers work, so they are the
same on every machine. That a container moves to a larger place now and then is left out: it comes to a step
or two for each id that joins, in all four.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from typing import Protocol

__all__ = ["DequeLine", "DictLine", "Line", "ListLine", "OrderedDictLine"]


class Line(Protocol):
    """A waiting line of ids. What takes an id out also says how many elements were looked at or moved."""

    def join(self, id: str) -> None:
        """Put an id at the tail: one step."""

    def take(self) -> tuple[str, int]:
        """Take the id at the head, and answer it before the steps."""

    def leave(self, id: str) -> int:
        """Take an id out, wherever it stands."""

    def __len__(self) -> int: ...


class ListLine(list):
    """Elements side by side: where one leaves, all behind it move up."""

    def join(self, id: str) -> None:
        self.append(id)

    def take(self) -> tuple[str, int]:
        id = self.pop(0)
        return id, 1 + len(self)

    def leave(self, id: str) -> int:
        place = self.index(id)
        del self[place]
        return (place + 1) + (len(self) - place)  # looked at, from the head; moved up, to the tail


class DequeLine(deque):
    """Open at both ends, so the head leaves at once. Whoever stands further back has to be searched for."""

    def join(self, id: str) -> None:
        self.append(id)

    def take(self) -> tuple[str, int]:
        return self.popleft(), 1

    def leave(self, id: str) -> int:
        place = self.index(id)
        turned = min(place, len(self) - place)  # it turns the id to the head, the short way, and then back
        del self[place]
        return (place + 1) + 2 * turned


class DictLine(dict):
    """Finds any id at once, and leaves a hole where one was. The head is found by walking over the holes.

    Python clears them away when it has no place left for a newcomer and makes the table anew.
    """

    def __init__(self) -> None:
        self.arrivals = 0  # so many have joined
        self.start = 0  # the arrival that the table begins with
        self.places = 5  # so many fit into the table, holes included

    def join(self, id: str) -> None:
        if self.arrivals - self.start == self.places:
            self.make_anew()
        self[id] = self.arrivals
        self.arrivals += 1

    def make_anew(self) -> None:
        """What CPython does when an insertion finds no place; here only the count has to follow it."""
        self.start = self.arrivals - len(self)
        self.update(zip(list(self), range(self.start, self.arrivals)))
        size = 8
        while size < 3 * len(self):
            size *= 2
        self.places = 2 * size // 3

    def take(self) -> tuple[str, int]:
        id, arrival = next(iter(self.items()))
        del self[id]
        return id, 1 + arrival - self.start

    def leave(self, id: str) -> int:
        del self[id]
        return 1


class OrderedDictLine(OrderedDict):
    """Finds any id at once, and each knows its neighbours: where one leaves, these two join hands."""

    def join(self, id: str) -> None:
        self[id] = None

    def take(self) -> tuple[str, int]:
        id, _ = self.popitem(last=False)
        return id, 1

    def leave(self, id: str) -> int:
        del self[id]
        return 1
