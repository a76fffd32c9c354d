"""Sound queues that nobody would write first: a ring, linked records, and a log. See ``sound_queues.py``."""

from __future__ import annotations


class RingBufferQueue:
    """A ring of places, as in C: a head, a count, and gaps that are closed by moving the rest up."""

    def __init__(self, capacity: int) -> None:
        self.ring: list[str | None] = [None] * capacity
        self.head = self.count = 0
        self.payloads: dict[str, str] = {}
        self.attempts: dict[str, int] = {}  # of every id ever accepted
        self.out: set[str] = set()

    def _push(self, id: str) -> None:
        self.ring[(self.head + self.count) % len(self.ring)] = id
        self.count += 1

    def enqueue(self, id: str, payload: str) -> bool:
        if id in self.attempts or self.count + len(self.out) >= len(self.ring):
            return False
        self.payloads[id] = payload
        self.attempts[id] = 0
        self._push(id)
        return True

    def reserve(self) -> tuple[str, str, int] | None:
        if self.count == 0:
            return None
        id = self.ring[self.head]
        assert id is not None
        self.ring[self.head] = None
        self.head = (self.head + 1) % len(self.ring)
        self.count -= 1
        self.attempts[id] += 1
        self.out.add(id)
        return id, self.payloads[id], self.attempts[id]

    def ack(self, id: str, attempt: int) -> bool:
        if id not in self.out or self.attempts[id] != attempt:
            return False
        self.out.remove(id)
        del self.payloads[id]
        return True

    def retry(self, id: str, attempt: int) -> bool:
        if id not in self.out or self.attempts[id] != attempt:
            return False
        self.out.remove(id)
        self._push(id)
        return True

    def cancel(self, id: str) -> bool:
        if id in self.out:
            self.out.remove(id)
        elif id in self.payloads:
            places = [(self.head + offset) % len(self.ring) for offset in range(self.count)]
            others = [self.ring[place] for place in places if self.ring[place] != id]
            for place, other in zip(places, [*others, None], strict=True):
                self.ring[place] = other
            self.count -= 1
        else:
            return False
        del self.payloads[id]
        return True


class LinkedQueue:
    """Records linked both ways, so that leaving from the middle is quick."""

    class Node:
        def __init__(self, id: str, payload: str) -> None:
            self.id, self.payload, self.attempt = id, payload, 0
            self.before: LinkedQueue.Node = self
            self.after: LinkedQueue.Node = self

        @property
        def linked(self) -> bool:
            return self.after is not self

    def __init__(self, capacity: int) -> None:
        self.left = capacity
        self.ends = self.Node("", "")
        self.nodes: dict[str, LinkedQueue.Node | None] = {}

    def _append(self, node: Node) -> None:
        last = self.ends.before
        node.before, node.after = last, self.ends
        last.after = self.ends.before = node

    def _unlink(self, node: Node) -> None:
        node.before.after, node.after.before = node.after, node.before
        node.before = node.after = node

    def enqueue(self, id: str, payload: str) -> bool:
        if id in self.nodes or not self.left:
            return False
        self.left -= 1
        node = self.nodes[id] = self.Node(id, payload)
        self._append(node)
        return True

    def reserve(self) -> tuple[str, str, int] | None:
        node = self.ends.after
        if node is self.ends:
            return None
        self._unlink(node)
        node.attempt += 1
        return node.id, node.payload, node.attempt

    def ack(self, id: str, attempt: int) -> bool:
        node = self.nodes.get(id)
        if node is None or node.linked or node.attempt != attempt:
            return False
        self.nodes[id] = None
        self.left += 1
        return True

    def retry(self, id: str, attempt: int) -> bool:
        node = self.nodes.get(id)
        if node is None or node.linked or node.attempt != attempt:
            return False
        self._append(node)
        return True

    def cancel(self, id: str) -> bool:
        node = self.nodes.get(id)
        if node is None:
            return False
        if node.linked:
            self._unlink(node)
        self.nodes[id] = None
        self.left += 1
        return True


class ReplayQueue:
    """Keeps nothing but the log of what succeeded, and works everything out from it. Slow, and sound."""

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._log: list[tuple[str, str]] = []
        self._payload: dict[str, str] = {}

    def _line(self) -> list[str]:
        line: list[str] = []
        for what, id in self._log:
            if what in ("enqueue", "retry"):
                line.append(id)
            elif id in line:
                line.remove(id)
        return line

    def _flying(self) -> list[str]:
        last = {id: what for what, id in self._log}
        return [id for id, what in last.items() if what == "reserve"]

    def _times(self, id: str) -> int:
        return self._log.count(("reserve", id))

    def enqueue(self, id: str, payload: str) -> bool:
        full = len(self._line()) + len(self._flying()) >= self._capacity
        if ("enqueue", id) in self._log or full:
            return False
        self._payload[id] = payload
        return self._write("enqueue", id)

    def reserve(self) -> tuple[str, str, int] | None:
        line = self._line()
        if not line:
            return None
        self._write("reserve", line[0])
        return line[0], self._payload[line[0]], self._times(line[0])

    def ack(self, id: str, attempt: int) -> bool:
        return self._holds(id, attempt) and self._write("ack", id)

    def retry(self, id: str, attempt: int) -> bool:
        return self._holds(id, attempt) and self._write("retry", id)

    def cancel(self, id: str) -> bool:
        return id in [*self._line(), *self._flying()] and self._write("cancel", id)

    def _holds(self, id: str, attempt: int) -> bool:
        return id in self._flying() and self._times(id) == attempt

    def _write(self, what: str, id: str) -> bool:
        self._log.append((what, id))
        return True
