"""Small goals for a lesson, recognised from the run of whoever plays.

A mission looks at a history and says whether its *last* operation reaches the goal, with all that went before in
view. So what was loaded or shown beforehand ticks nothing: the learner's own operation does.

A mission of your own is one line; the name of a clause is enough where its refusal, or its success, is the goal:

>>> Mission("Have a stale attempt refused.", "fence.exact", hint="Retry a job, reserve it, and ack attempt 1.").goal
'Have a stale attempt refused.'
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from retryq import mission_signs as signs
from retryq.history import History
from retryq.rules import CLAUSES

__all__ = ["LESSON_MISSIONS", "Mission", "for_lesson", "gather"]


@dataclass(frozen=True)
class Mission:
    """A goal in words, how it is recognised, and a hint for whoever is stuck.

    ``when`` is a function of a `History` that says whether its last operation reaches the goal, or the name of a
    clause: then the goal is that an operation is decided by this clause. ``ValueError`` for a name that is none.
    """

    goal: str
    when: str | Callable[[History], bool]
    hint: str = ""

    def __post_init__(self) -> None:
        if not callable(self.when) and self.when not in CLAUSES:
            raise ValueError(f"the mission {self.goal!r} waits for {self.when!r}, and no clause has that name")

    def reached_by(self, history: History) -> bool:
        """Whether the last operation of this run reaches the goal."""
        if not history.steps:
            return False
        if callable(self.when):
            return bool(self.when(history))
        return history.steps[-1].clause == self.when

    def reached_in(self, history: History) -> bool:
        """Whether any operation of this run reaches the goal.

        >>> from retryq import data, history
        >>> mission = Mission("Be turned away by a full queue.", "capacity.full")
        >>> [mission.reached_in(history.run(scenario)) for scenario in data.examples()]
        [False, False, True, False]
        """
        return any(self.reached_by(history.fork(index + 1)) for index in range(len(history)))


def for_lesson(lesson: str) -> tuple[Mission, ...]:
    """The missions of a lesson, by its notebook's name. ``ValueError`` where it has none.

    >>> [mission.goal for mission in for_lesson("06-cancel")][1:]
    ['Cancel a job in flight, then have its ack refused.', 'Cancel the same job twice.']
    """
    if lesson not in LESSON_MISSIONS:
        raise ValueError(f"no lesson named {lesson!r} has missions; those that do: {', '.join(LESSON_MISSIONS)}")
    return LESSON_MISSIONS[lesson]


def gather(missions: str | Mission | Iterable[str | Mission]) -> tuple[Mission, ...]:
    """Missions from a lesson's name, a `Mission`, or several of either."""
    if isinstance(missions, str):
        return for_lesson(missions)
    if isinstance(missions, Mission):
        return (missions,)
    found: list[Mission] = []
    for entry in missions:
        if not isinstance(entry, (str, Mission)):
            raise TypeError(f"missions must be a lesson's name or Mission objects, got a {type(entry).__name__}")
        found += gather(entry)
    return tuple(dict.fromkeys(found))


LESSON_MISSIONS: dict[str, tuple[Mission, ...]] = {
    "01-first-in-first-out": (
        Mission("Have two jobs in flight at once.", signs.two_in_flight,
                "Enqueue two jobs, then reserve twice."),
        Mission("Get the missing result while a job is in flight.", signs.missing_while_in_flight,
                "Reserve until nothing waits, and then once more."),
        Mission("Take a job out while one with an earlier name in the alphabet still waits.", signs.arrival_beats_alphabet,
                "Enqueue b first and a second. Which one does reserve take?"),
    ),
    "02-acknowledge": (
        Mission("Finish a job.", "ack.completes",
                "Reserve a job, then press its ack button."),
        Mission("Finish a later job while an earlier one is still in flight.", signs.later_one_first,
                "Reserve two jobs and ack the second one first."),
        Mission("Have an ack refused because the job still waits.", signs.ack_too_early,
                "Press the ack button of a job that is in line."),
        Mission("Ack the same job twice: the second time is refused.", signs.ack_twice,
                "A finished job has no buttons any more: name it under 'any id'."),
    ),
    "03-capacity": (
        Mission("Get a refusal while a slot looks free.", signs.looks_free,
                "Fill the queue, reserve a job, and enqueue one more. What does a job in flight still take?"),
        Mission("Fill the queue with nothing waiting.", signs.full_with_nothing_waiting,
                "Enqueue until it is full, then reserve every job."),
        Mission("Be turned away by a full queue, then make room and get in.", signs.in_after_a_refusal,
                "After the refusal, ack or cancel one job. Then enqueue again."),
        Mission("Make a queue that turns away its very first job.", "capacity.zero",
                "Restart with a capacity that leaves no slot at all."),
    ),
    "04-retry": (
        Mission("Send a job back behind another one.", signs.back_behind_another,
                "Reserve a job while a second one waits, and retry it."),
        Mission("Finish a job on its third attempt.", signs.third_time_lucky,
                "Reserve and retry twice, reserve once more, and then ack."),
        Mission("Get a new job refused because a retried one keeps its slot.", signs.retried_keeps_its_slot,
                "Fill the queue, reserve a job, retry it, and enqueue one more."),
    ),
    "05-fencing": (
        Mission("Make attempt 1 stale.", signs.first_attempt_stale,
                "A later reservation of the same job makes it so: retry the job, then reserve it again."),
        Mission("Have a stale ack refused, then finish the job with the right attempt.", signs.stale_then_right,
                "Once attempt 2 is out, set the attempt beside the job to 1 and press ack. Then set it right."),
        Mission("Try attempt 0 on a job in flight.", signs.zero_in_flight,
                "Set the attempt beside a job in flight to 0, and press ack or retry."),
        Mission("Guess an attempt that has not come yet.", signs.from_the_future,
                "Set the attempt beside a job in flight one too high."),
    ),
    "06-cancel": (
        Mission("Cancel a job in the middle of the line, and see its neighbours come out in order.", signs.order_kept,
                "Restart with capacity 3. Enqueue three jobs, cancel the second, reserve twice."),
        Mission("Cancel a job in flight, then have its ack refused.", signs.reservation_worth_nothing,
                "After the cancel the job has no buttons any more: name it under 'any id'."),
        Mission("Cancel the same job twice.", signs.cancel_twice,
                "After the first cancel, name the job under 'any id' and cancel it again."),
    ),
    "07-identity": (
        Mission("Get an id refused after its job is finished.", "identity.forever",
                "Finish or cancel a job, then enqueue its id again."),
        Mission("Have two jobs at once whose ids differ in case alone.", signs.two_cases,
                "Enqueue a, then A."),
        Mission("Try to replace the payload of a job, and fail.", signs.no_new_payload,
                "Enqueue the id of an active job again, with another payload."),
        Mission("Get an id refused by a full queue, and accepted later.", signs.refused_then_accepted,
                "After the refusal make room, then enqueue that same id again."),
    ),
    "08-isolation": (
        Mission("Have two queues hold the same id at once.", signs.same_id_twice,
                "Enqueue a, press new queue, and enqueue a there as well."),
        Mission("Fill one queue, and get a job into another.", signs.one_full_one_open,
                "Enqueue until the first queue is full. Then press new queue and enqueue there."),
        Mission("Hold the same id at two different attempts in two queues.", signs.two_attempts,
                "Reserve a in both queues. In one of them retry it and reserve it again."),
    ),
}
