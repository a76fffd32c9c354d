"""Runs code that may never return, exit, or flood, and comes back with what happened.

>>> call(lambda: 6 * 7).value
42
>>> print(call(lambda: [].pop()))
The code raised IndexError: pop from empty list.

A queue that somebody else wrote may loop for ever, call `sys.exit()`, or print without end. `call` runs such
code where it can do no harm, and answers an `Outcome` in every case. There are three ways to do so; `call`
takes the first that the platform has.

"process" (Linux, macOS)
    The code runs in a child made by `os.fork`: it sees every class of a notebook, and what it changes is
    not changed here. The child is killed when its time is up, whatever it does: endless loops in Python or
    C, loops that catch everything, sleeps, locks, stack overflows, `os._exit`, signals to itself, closed
    files. Its threads and children die with it. It may start no process and signal no other. On Linux its
    memory is limited too; macOS does not keep that limit, and a part of macOS that refuses to work after
    `fork` shows as "crashed".
"thread" (Windows)
    The code runs in a thread of this process. From Python 3.12 on, every loop and every recursion in Python
    is stopped, even one that catches everything; Python 3.11 stops the plain ones. From a sleep or a lock
    `call` comes back too, and leaves the thread behind. `os._exit` and `os.abort` are caught by stand-ins.
    What the code changes stays changed.
"inline" (Pyodide, in a browser)
    The code runs in the caller's thread, as there is no other. Loops and recursions are stopped as with
    "thread" (Python 3.11 stops none), and a sleep or a lock is waited for.

Out of reach of "thread" and "inline": a call into C that does not return (`sum(itertools.count())`), a stack
overflow, a signal to itself, memory (bounded by time alone), and what is written below Python to the screen.
Out of reach of all three: files, the network, and a process that detaches itself by means of C code. This
guards against mistakes; it is no prison for malice.

No debugger and no coverage tool follows the code into a child. Pass `how="inline"` to step through it.
"""

from __future__ import annotations

import faulthandler
import gc
import os
import select
import signal
import sys
import warnings
from collections.abc import Callable
from contextlib import suppress
from math import ceil
from time import sleep
from typing import Any, NoReturn

from retryq.guarding import inside
from retryq.guarding.outcome import KINDS, Board, Failure, Outcome, Progress, Watch, attempt, describe
from retryq.guarding.stage import stage

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

__all__ = ["KINDS", "Failure", "Outcome", "Progress", "call", "describe"]

LOOK = 20  # milliseconds between two looks at the clock
DISK = 64 * 2**20  # bytes that the child may write into one file
STARTS = {"os.exec", "os.fork", "os.forkpty", "os.posix_spawn", "os.system", "subprocess.Popen"}
_exit, _getpid = os._exit, os.getpid  # under names of our own: code under guard may replace the originals


def call(
    function: Callable[[], object],
    *,
    seconds: float = 3.0,
    stall: float | None = None,
    memory: int = 256 * 2**20,
    output_limit: int = 20_000,
    progress: Progress | None = None,
    how: str | None = None,
) -> Outcome:
    """Run `function()` under guard and say how it ended. Nothing that the function does is raised here.

    What it returns comes back as a copy, and must be plain data: None, bools, numbers, strings, bytes, and
    tuples, lists, dicts and sets of these. `seconds` is the time it may take, by the clock on the wall.
    With `stall` and `progress` it is also stopped after `stall` seconds without progress: a verdict that a
    slow machine does not change. `memory` is how many bytes it may take beyond what this process has. Of
    what it prints, the first `output_limit` bytes are kept. `how` is "process", "thread" or "inline"; None
    takes the best that there is. Raises ValueError for a way that does not exist here, and
    KeyboardInterrupt when the caller is interrupted.
    """
    ways = _ways()
    how = how or ways[0]
    if how not in ways:
        raise ValueError(f"how must be one of {', '.join(ways)} here, not {how!r}")
    if progress is not None:
        progress.note(b"")
    board = Board(output_limit)
    watch = Watch(seconds, stall, progress)
    if how == "process":
        try:
            child, pipe = _fork(function, board, ceil(seconds) + 1, memory)
        except OSError:  # no child is to be had: this user may run no more, or this already is such a child
            how = ways[1]
        else:
            return board.outcome(_wait(child, pipe, board, watch), progress)
    way = inside.in_thread if how == "thread" else inside.inline
    return board.outcome(way(function, board, watch), progress)


def _ways() -> tuple[str, ...]:
    if sys.platform in ("emscripten", "wasi"):
        return ("inline",)
    return ("process", "thread", "inline") if hasattr(os, "fork") else ("thread", "inline")


def _fork(function: Callable[[], object], board: Board, seconds: int, memory: int) -> tuple[int, int]:
    """Start the function in a child; answers the child and a pipe with what is written below Python.

    Raises OSError when no child can be made.
    """
    parent = _getpid()
    pipe, write_end = os.pipe()
    try:
        with warnings.catch_warnings():
            # Python 3.12 warns of locks that other threads hold; a child that waits for one is killed.
            warnings.filterwarnings("ignore", "This process .* is multi-threaded", DeprecationWarning)
            child = os.fork()
        if child == 0:
            os.close(pipe)
            _be_child(function, board, write_end, seconds, memory)
    except OSError:
        os.close(pipe)
        raise
    finally:
        if _getpid() != parent:
            _exit(70)  # whatever happened: a child never returns into its parent's program
        os.close(write_end)
    return child, pipe


def _wait(child: int, pipe: int, board: Board, watch: Watch) -> tuple[str, str]:
    """Listen to the child until it ends or its time is up, then kill it and all that it started.

    Answers the kind and detail that hold if the child left no answer on the board.
    """
    said, heard, open_, ended, status, verdict = bytearray(), 0, True, False, 0, ""
    ear = select.poll()
    ear.register(pipe, select.POLLIN)
    os.set_blocking(pipe, False)
    try:
        while not ended and not verdict:
            if not open_:
                sleep(0.001)  # it closed its output: it has ended, or will soon, or does so on purpose
            elif ear.poll(LOOK):
                data = _read(pipe)
                said += data[: board.limit - len(said)]
                heard += len(data)
                open_ = data != b""
            ended, status = _look(child, os.WNOHANG)
            verdict = watch.verdict()
    finally:  # also when the caller is interrupted while waiting
        with suppress(OSError):
            os.killpg(child, signal.SIGKILL)
        if not ended:
            os.kill(child, signal.SIGKILL)  # too young, perhaps, to lead its group
            _look(child, 0)
        while heard <= board.limit and (data := _read(pipe)):
            said += data
            heard += len(data)
        os.close(pipe)
    board.print(bytes(said), heard)
    return _epitaph(status) if ended else ("ran too long", verdict)


def _read(pipe: int) -> bytes:
    try:
        return os.read(pipe, 65536)
    except BlockingIOError:
        return b""


def _look(child: int, options: int) -> tuple[bool, int]:
    """Has the child ended, and how? A program that ignores SIGCHLD is told too late to hear how."""
    try:
        pid, status = os.waitpid(child, options)
        return pid != 0, status
    except ChildProcessError:
        return True, 0


def _epitaph(status: int) -> tuple[str, str]:
    """Kind and detail for a child that ended without an answer."""
    code = os.waitstatus_to_exitcode(status)
    if code >= 0:
        return "exited", f"ended the whole program, with exit code {code}"
    name = {number.value: number.name for number in signal.Signals}.get(-code, f"signal {-code}")
    if name in ("SIGXCPU", "SIGALRM"):
        return "ran too long", f"was stopped by {name}, for its time was up"
    if name in ("SIGSEGV", "SIGBUS"):
        return "crashed", f"crashed Python itself ({name}), as a recursion too deep for its stack does"
    if name == "SIGKILL":
        return "crashed", "was killed (SIGKILL), by itself or by the system for want of memory"
    return "crashed", f"was killed by {name}"


def _be_child(function: Callable[[], object], board: Board, pipe: int, seconds: int, memory: int) -> NoReturn:
    me = _getpid()
    streams = (sys.stdout, sys.stderr, sys.__stdout__, sys.__stderr__)
    _stop_watching()
    _cut_ties(pipe, seconds)
    _forbid(me)
    with stage(board, doors=False):
        _silence(streams)
        gc.freeze()  # nothing of the parent's is collected here, and so no finalizer of the parent's runs
        answer = attempt(_within(memory, function))
    if _getpid() == me:  # a forked child of the code comes past here too
        board.put(answer)
    _exit(0)


def _cut_ties(pipe: int, seconds: int) -> None:
    """Leave the parent's terminal, signals and screen; end after `seconds` even without a parent."""
    os.setsid()
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(pipe, 1)
    os.dup2(pipe, 2)
    if pipe > 2:
        os.close(pipe)
    signal.set_wakeup_fd(-1)
    for number in signal.valid_signals():
        if callable(signal.getsignal(number)):
            signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    signal.setitimer(signal.ITIMER_REAL, seconds)
    _limit(resource.RLIMIT_CPU, seconds)
    _limit(resource.RLIMIT_FSIZE, DISK)
    _limit(resource.RLIMIT_CORE, 0)


def _stop_watching() -> None:
    """No debugger, profiler or crash reporter follows: nobody is there to answer its questions."""
    sys.settrace(None)
    sys.setprofile(None)
    faulthandler.disable()
    if hasattr(sys, "monitoring"):
        for tool in filter(sys.monitoring.get_tool, range(6)):
            sys.monitoring.set_events(tool, 0)
            for event in vars(sys.monitoring.events).values():
                if isinstance(event, int) and event.bit_count() == 1:
                    sys.monitoring.register_callback(tool, event, None)


def _silence(streams: tuple[Any, ...]) -> None:
    """What holds the parent's streams, as handlers of `logging` do, or displays on a page, prints here."""
    for stream in streams:
        with suppress(Exception):  # it is None, or lets nobody change it
            stream.write, stream.flush = sys.stdout.write, sys.stdout.flush
    with suppress(Exception):  # no notebook
        publisher = sys.modules["IPython"].get_ipython().display_pub
        publisher.publish = lambda data, *_args, **_options: print(data.get("text/plain"))


def _limit(limit: int, amount: int) -> tuple[int, int]:
    """Lower a limit of this process, never raise it; answers what it was."""
    _, hard = before = resource.getrlimit(limit)
    amounts = [amount] + [old for old in before if old != resource.RLIM_INFINITY]
    resource.setrlimit(limit, (min(amounts), hard))
    return before


def _within(memory: int, function: Callable[[], object]) -> Callable[[], object]:
    """The function, limited to `memory` bytes beyond what there is; what happens after it is not limited."""
    try:
        with open("/proc/self/statm") as file:
            present = int(file.read().split()[0]) * resource.getpagesize()
    except OSError:  # not Linux; elsewhere the limit is not kept anyway
        return function

    def limited() -> object:
        reserve = [bytearray(2**20)]
        before = _limit(resource.RLIMIT_AS, present + memory)
        try:
            return function()
        finally:
            reserve.clear()  # where all is used up, there would be no room for another step
            resource.setrlimit(resource.RLIMIT_AS, before)

    return limited


def _forbid(me: int) -> None:
    """From now on this process starts no other, so that they cannot multiply, and signals no other."""

    def hook(event: str, args: tuple[Any, ...]) -> None:
        if event in STARTS:
            raise PermissionError(f"code under guard may not start a process ({event})")
        if event in ("os.kill", "os.killpg") and args[0] not in (0, me):
            raise PermissionError(f"code under guard may not signal another process ({event})")

    sys.addaudithook(hook)
