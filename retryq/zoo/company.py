"""Broken queues: whose is it? Faults that show only when two queues are alive at once."""

from __future__ import annotations

from retryq.zoo.simple import Record, SimpleQueue


class SharedByAllQueues(SimpleQueue):
    """All queues have one line and one set of records."""

    story = "The line and the records were written in the body of the class, outside of `__init__`."
    belief = "What I write at the top of the class is made anew for every queue."
    correction = (
        "It is made once, for the class, and every queue sees it. Separate queues share no state "
        "(`isolation.queues`): make it in `__init__`."
    )
    broken = frozenset({"isolation.queues"})
    report = "https://github.com/celery/kombu/pull/196"
    all_records: dict[str, Record] = {}  # noqa: RUF012 (that is the fault)
    all_lines: list[str] = []  # noqa: RUF012

    def __init__(self, capacity: int) -> None:
        super().__init__(capacity)
        self.records = self.all_records
        self.line = self.all_lines

    @classmethod
    def forget(cls) -> None:
        cls.all_records.clear()
        cls.all_lines.clear()


class SharedDefaultArgument(SimpleQueue):
    """All queues fill the same slots, because a default value is made only once."""

    story = "`slots=[]` was written into the signature of `__init__`, to save a line in its body."
    belief = "A default value is made anew in every call."
    correction = (
        "It is made once, when the function is defined, and then shared: one queue fills the other. "
        "Separate queues share no state (`isolation.queues`)."
    )
    broken = frozenset({"isolation.queues"})
    report = "https://github.com/vutran1710/PyrateLimiter/issues/4"

    def __init__(self, capacity: int, slots: list[str] = []) -> None:  # noqa: B006
        super().__init__(capacity)
        self.slots = slots

    @classmethod
    def forget(cls) -> None:
        for default in cls.__init__.__defaults__ or ():
            default.clear()

    def is_full(self) -> bool:
        return len(self.slots) >= self.capacity

    def accept(self, id: str, payload: str) -> None:
        super().accept(id, payload)
        self.slots.append(id)

    def finish(self, id: str, state: str) -> None:
        super().finish(id, state)
        self.slots.remove(id)


class NewQueueEmptiesTheOld(SimpleQueue):
    """Making a queue empties every other one, and from then on they are the same."""

    story = "`__init__` assigned to the class by its name, where `self` was meant."
    belief = "There is only one queue in a program, so it does not matter where its jobs are kept."
    correction = (
        "There may be many. Separate queues share no state (`isolation.queues`): each keeps its own, on "
        "`self`."
    )
    broken = frozenset({"isolation.queues"})
    report = "https://github.com/scanoss/scanoss.py/issues/106"

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        NewQueueEmptiesTheOld.records = {}
        NewQueueEmptiesTheOld.line = []
        NewQueueEmptiesTheOld.taken = 0
