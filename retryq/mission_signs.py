"""How the goals of `missions` are recognised: each function says whether the last operation of a run reaches one."""

from __future__ import annotations

from retryq.history import History
from retryq.model import ACKNOWLEDGED, CANCELLED, IN_FLIGHT, WAITING, JobState, QueueState, Step

# What they are made of: the last step, the queue it left behind, and the job it was about.


def _last(history: History) -> Step:
    return history.steps[-1]


def _queue(history: History) -> QueueState:
    """The queue that the last operation acted on, as it is afterwards."""
    return _last(history).after.current


def _did(history: History, operation: str, result: object) -> bool:
    step = _last(history)
    return step.op[0] == operation and step.result is result


def _took(history: History) -> tuple[str, str, int] | None:
    """What the last operation reserved, if it did."""
    result = _last(history).result
    return result if isinstance(result, tuple) else None


def _job(history: History) -> JobState | None:
    """The job that the last operation named."""
    op = _last(history).op
    return _queue(history).job(op[1]) if len(op) > 1 and isinstance(op[1], str) else None


def _earlier(history: History) -> list[Step]:
    """The operations before the last one, on the same queue, the latest first."""
    selected = _last(history).after.selected
    return [step for step in history.steps[-2::-1] if step.after.selected == selected]


def _by(history: History, *clauses: str) -> bool:
    return _last(history).clause in clauses


# One function for each goal that takes more than the name of a clause.


def two_in_flight(history: History) -> bool:
    return len(_queue(history).in_flight) >= 2


def missing_while_in_flight(history: History) -> bool:
    return _by(history, "fifo.missing") and bool(_queue(history).in_flight)


def arrival_beats_alphabet(history: History) -> bool:
    took = _took(history)
    return took is not None and any(waiting < took[0] for waiting in _queue(history).line)


def later_one_first(history: History) -> bool:
    if not _did(history, "ack", True):
        return False
    reserved = [step.result[0] for step in _earlier(history) if isinstance(step.result, tuple)]  # the latest first
    before = reserved[reserved.index(_last(history).op[1]) + 1:]
    return any(job.id in before for job in _queue(history).in_flight)


def ack_too_early(history: History) -> bool:
    job = _job(history)
    return _did(history, "ack", False) and job is not None and job.status == WAITING


def ack_twice(history: History) -> bool:
    job = _job(history)
    return _did(history, "ack", False) and job is not None and job.status == ACKNOWLEDGED


def looks_free(history: History) -> bool:
    queue = _queue(history)
    return _by(history, "capacity.full") and queue.waiting < queue.capacity


def full_with_nothing_waiting(history: History) -> bool:
    queue = _queue(history)
    return 0 < queue.capacity == len(queue.in_flight)


def in_after_a_refusal(history: History) -> bool:
    return _did(history, "enqueue", True) and any(step.clause == "capacity.full" for step in _earlier(history))


def back_behind_another(history: History) -> bool:
    return _by(history, "retry.tail") and _queue(history).waiting > 1


def third_time_lucky(history: History) -> bool:
    return _did(history, "ack", True) and _last(history).op[2] == 3


def retried_keeps_its_slot(history: History) -> bool:
    jobs = _queue(history).jobs
    return _by(history, "capacity.full") and any(job.status == WAITING and job.attempt > 0 for job in jobs)


def first_attempt_stale(history: History) -> bool:
    took = _took(history)
    return took is not None and took[2] == 2


def stale_then_right(history: History) -> bool:
    if not _did(history, "ack", True):
        return False
    _, id, attempt = _last(history).op
    return any(step.clause == "fence.exact" and step.op[:2] == ("ack", id) and step.op[2] < attempt
               for step in _earlier(history))


def zero_in_flight(history: History) -> bool:
    job = _job(history)
    return _by(history, "fence.zero") and job is not None and job.status == IN_FLIGHT


def from_the_future(history: History) -> bool:
    job = _job(history)
    return _by(history, "fence.exact") and job is not None and _last(history).op[2] > job.attempt


def order_kept(history: History) -> bool:
    """A job was cancelled between two others; since then the one before it came out, and now the one behind it."""
    took = _took(history)
    since: list[str] = []  # what came out after the cancel
    for step in _earlier(history):
        if isinstance(step.result, tuple):
            since.append(step.result[0])
        if took is None or step.clause != "cancel.waiting":
            continue
        line = step.before.current.line
        place = line.index(step.op[1])
        if 0 < place < len(line) - 1 and line[place + 1] == took[0] and line[place - 1] in since:
            return True
    return False


def left_from_the_middle(history: History) -> bool:
    """A waiting job was cancelled with others in line before it and behind it."""
    step = _last(history)
    return _by(history, "cancel.waiting") and step.op[1] in step.before.current.line[1:-1]


def reservation_worth_nothing(history: History) -> bool:
    step = _last(history)
    return _did(history, "ack", False) and any(
        each.clause == "cancel.in-flight" and each.op[1] == step.op[1] for each in _earlier(history))


def cancel_twice(history: History) -> bool:
    job = _job(history)
    return _by(history, "cancel.finished") and job is not None and job.status == CANCELLED


def two_cases(history: History) -> bool:
    active = [job.id for job in _queue(history).jobs if job.status in (WAITING, IN_FLIGHT)]
    return len({id.lower() for id in active}) < len(active)


def no_new_payload(history: History) -> bool:
    job = _job(history)
    return _by(history, "identity.duplicate") and job is not None and job.payload != _last(history).op[2]


def refused_then_accepted(history: History) -> bool:
    id = _last(history).op[1:2]
    return _did(history, "enqueue", True) and any(
        step.clause == "capacity.full" and step.op[1:2] == id for step in _earlier(history))


def same_id_twice(history: History) -> bool:
    active = [{job.id for job in queue.jobs if job.status in (WAITING, IN_FLIGHT)}
              for queue in _last(history).after.queues]
    return any(one & other for index, one in enumerate(active) for other in active[:index])


def one_full_one_open(history: History) -> bool:
    state = _last(history).after
    others = [queue for index, queue in enumerate(state.queues) if index != state.selected]
    return _did(history, "enqueue", True) and any(queue.active == queue.capacity for queue in others)


def two_attempts(history: History) -> bool:
    flying = [(job.id, job.attempt) for queue in _last(history).after.queues for job in queue.in_flight]
    return len({id for id, _ in flying}) < len(set(flying))
