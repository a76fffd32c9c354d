"""Guards code inside this very process, where no child process can be forked: on Windows and in a browser.

Less is contained here than by a child process; `guard.py` says what. The code runs in a thread of its own,
which is interrupted when its time is up, and abandoned when even that does not help. A browser has no threads:
there the code runs in the caller's, and looks at the clock itself.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from retryq.guarding.outcome import Board, Watch, attempt
from retryq.guarding.stage import stage

try:
    import ctypes
except ImportError:
    ctypes = None  # type: ignore[assignment]

GRACE = 0.5  # seconds that an interrupted thread has to end before it is abandoned
TICK = 0.01  # seconds between two looks at the clock
STEPS = 4096  # steps between two looks at the clock, where there is no thread to look at it


class Stop(BaseException):
    """Raised in the code to stop it: no `except Exception` catches it."""


def in_thread(function: Callable[[], object], board: Board, watch: Watch) -> tuple[str, str]:
    """Run the function in a thread; answers the kind and detail that hold if no answer is on the board."""
    verdict, done, ended = "", False, threading.Event()

    def work() -> None:
        nonlocal done
        try:
            board.put(attempt(function, Stop))
        except Stop:
            done = True  # at once: it would be raised again at the next step
        finally:
            done = True
            ended.set()

    def step(*_event: object) -> None:
        if verdict and not done and threading.get_ident() == thread.ident:
            raise Stop

    thread = threading.Thread(target=work, name="retryq.guard", daemon=True)
    with stage(board, doors=True), _each_step(step):
        try:
            thread.start()
            while not ended.wait(TICK) and not verdict:  # no join: interrupted, it takes the thread for ended
                verdict = watch.verdict()
        finally:  # also when the caller is interrupted while waiting
            verdict = verdict or "was interrupted"
            for _ in range(round(GRACE / TICK)):
                if ended.wait(TICK):
                    thread.join()
                    break
                _interrupt(thread)
    if not ended.is_set():
        verdict += "; it could not be interrupted, and its thread is left behind"
    return "ran too long", verdict


def inline(function: Callable[[], object], board: Board, watch: Watch) -> tuple[str, str]:
    """Run the function right here. From Python 3.12 on it is interrupted when its time is up."""
    steps, verdict, done = 0, "", False

    def step(*_event: object) -> None:
        nonlocal steps, verdict
        steps += 1
        if steps % STEPS == 0 and not verdict:
            verdict = watch.verdict()
        if verdict and not done and threading.get_ident() == mine:
            raise Stop

    mine = threading.get_ident()
    with stage(board, doors=True), _each_step(step):
        try:
            board.put(attempt(function, Stop))
        except Stop:
            done = True  # at once: it would be raised again at the next step
        done = True
    return "ran too long", verdict


@contextmanager
def _each_step(step: Callable[..., None]) -> Iterator[None]:
    """Call `step` at every jump and every start of a function, in all threads: no loop goes without.

    A `step` that raises, again and again, stops even a loop that catches everything, whose jump back to its
    start lies outside of its own `try`. Python 3.11 cannot watch steps; there this does nothing.
    """
    tool = _free_tool()
    if tool is None:
        yield
        return
    monitoring = sys.monitoring  # type: ignore[attr-defined]
    events = (monitoring.events.JUMP, monitoring.events.PY_START, monitoring.events.PY_RESUME)
    monitoring.use_tool_id(tool, "retryq.guard")
    try:
        for event in events:
            monitoring.register_callback(tool, event, step)
        monitoring.set_events(tool, sum(events))
        yield
    finally:
        monitoring.set_events(tool, 0)
        for event in events:
            monitoring.register_callback(tool, event, None)
        monitoring.free_tool_id(tool)


def _free_tool() -> int | None:
    """A number for sys.monitoring that no debugger, profiler or coverage tool uses."""
    if not hasattr(sys, "monitoring"):
        return None
    return next((number for number in (4, 3, 5, 2, 1, 0) if sys.monitoring.get_tool(number) is None), None)


def _interrupt(thread: threading.Thread) -> None:
    """Raise Stop in another thread at its next step of Python: a sleeper gets it when it wakes up."""
    if ctypes and thread.ident is not None:
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident), ctypes.py_object(Stop))
