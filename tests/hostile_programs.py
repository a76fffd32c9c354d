"""Programs that no one would want to run, and how guard must name each of them."""

# ruff: noqa: BLE001, E722, S110, S112, T100  these programs are hostile on purpose

from __future__ import annotations

import _thread
import ctypes
import itertools
import os
import signal
import subprocess
import sys
import threading
import time

STEPS = hasattr(sys, "monitoring")  # Python 3.12 and later


def loop():
    while True:
        pass


def loop_that_catches_everything():
    while True:
        try:
            while True:
                try:
                    int("x")
                except:
                    continue
        except BaseException:
            pass


def generator_that_catches_everything():
    def numbers():
        while True:
            try:
                yield 1
            except:
                pass

    for _ in numbers():
        pass


def deaf_to_signals():
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGALRM, signal.SIGXCPU):
        signal.signal(number, signal.SIG_IGN)
    loop()


def lock():
    mutex = threading.Lock()
    mutex.acquire()
    mutex.acquire()


def clock_stands_still():
    time.monotonic = time.time = lambda: 0
    loop()


def closes_everything_and_loops():
    os.closerange(0, 200)
    loop()


def recursion():
    return recursion()


def recursion_through_c():
    sys.setrecursionlimit(10**9)

    def again(_item):
        return sorted([1], key=again)

    again(0)


def growing_list():
    held = []
    while True:
        held.append(bytearray(10**6))


def growing_chain():
    held = ()
    while True:  # in steps so small that nothing is left for whoever comes after
        held = (held,)


def interrupt():
    raise KeyboardInterrupt


def flood():
    while True:
        print("spam")


def flood_below_python():
    while True:
        os.write(1, b"spam\n" * 1000)


class Unspeakable(Exception):
    def __str__(self):
        raise SystemExit("from __str__")

    __repr__ = __str__

    def __reduce__(self):
        raise KeyboardInterrupt


class EndlessStr(Exception):
    def __str__(self):
        return loop()


def unspeakable():
    raise Unspeakable


def endless_str():
    raise EndlessStr


def fork_bomb():
    while True:
        os.fork()


def thread_left_behind():
    threading.Thread(target=loop).start()
    return "done"


def finite_flood():
    for _ in range(10_000):
        print("debug: the queue holds", [1, 2, 3])
    return "done"


class Reduces:
    """Its pickle would run code in whoever reads it."""

    def __reduce__(self):
        return os._exit, (0,)


# name: program, kind, words that name what happened. These hold for every way of guarding.
EVERYWHERE = {
    "recursion": (recursion, "raised", "RecursionError"),
    "sys.exit": (sys.exit, "exited", "exit code 0"),
    "sys.exit with a word": (lambda: sys.exit("bye"), "exited", "exit code bye"),
    "os._exit(0)": (lambda: os._exit(0), "exited", "exit code 0"),
    "os._exit(3)": (lambda: os._exit(3), "exited", "exit code 3"),
    "KeyboardInterrupt": (interrupt, "raised", "KeyboardInterrupt"),
    "a huge allocation": (lambda: bytearray(10**15), "raised", "MemoryError"),
    "a finite flood": (finite_flood, "returned", "flooded its output"),
    "input()": (lambda: input("? "), "raised", "asked for input"),
    "sys.stdin": (lambda: sys.stdin.read(), "raised", "asked for input"),
    "lines of sys.stdin": (lambda: list(sys.stdin), "raised", "asked for input"),
    "breakpoint()": (lambda: breakpoint(), "raised", "asked for input"),
    "an unspeakable exception": (unspeakable, "raised", "Unspeakable"),
    "no plain data": (lambda: [object()], "raised", "plain data"),
    "a booby-trapped answer": (lambda: Reduces(), "raised", "Reduces"),
    "an answer too large": (lambda: bytes(10**7), "raised", "10,000,0"),
}
LOOPS = {
    "an endless loop": (loop, "ran too long", "still running"),
    "a loop that catches everything": (loop_that_catches_everything, "ran too long", "still running"),
    "a generator that catches everything": (
        generator_that_catches_everything,
        "ran too long",
        "still running",
    ),
    "an endless flood": (flood, "ran too long", "flooded its output"),
    "an endless __str__": (endless_str, "ran too long", "still running"),
}
IN_A_CHILD = {
    "a deaf loop": (deaf_to_signals, "ran too long", "still running"),
    "a sleep": (lambda: time.sleep(10**6), "ran too long", "still running"),
    "a lock": (lock, "ran too long", "still running"),
    "a loop in C": (lambda: sum(itertools.count()), "ran too long", "still running"),
    "a huge power": (lambda: 10**10**8, "ran too long", "still running"),
    "a clock that stands still": (clock_stands_still, "ran too long", "still running"),
    "everything closed": (closes_everything_and_loops, "ran too long", "still running"),
    "stopped by itself": (lambda: os.kill(os.getpid(), signal.SIGSTOP), "ran too long", "still running"),
    "a stack overflow": (lambda: ctypes.string_at(0), "crashed", "crashed Python itself (SIGSEGV)"),
    "os.abort": (lambda: os.abort(), "crashed", "SIGABRT"),
    "a kill": (lambda: os.kill(os.getpid(), signal.SIGKILL), "crashed", "SIGKILL"),
    "a kill of the parent": (lambda: os.kill(os.getppid(), signal.SIGKILL), "raised", "another process"),
    "a fork bomb": (fork_bomb, "raised", "may not start a process"),
    "a shell": (lambda: os.system("true"), "raised", "may not start a process"),
    "a program": (lambda: subprocess.run(["true"], check=False), "raised", "may not start a process"),
    "a flood below Python": (flood_below_python, "ran too long", "flooded its output"),
    "a thread left behind": (thread_left_behind, "returned", "returned"),
    "a handler of interrupts": (lambda: _thread.interrupt_main() or loop(), "raised", "KeyboardInterrupt"),
}
if sys.platform == "linux":  # elsewhere the system does not keep the limit
    IN_A_CHILD["a growing list"] = (growing_list, "raised", "MemoryError")
    IN_A_CHILD["a growing chain"] = (growing_chain, "raised", "MemoryError")
if not STEPS:  # later Pythons know a RecursionError of C; 3.11 falls off its stack
    IN_A_CHILD["a recursion through C"] = (recursion_through_c, "crashed", "crashed Python itself")
IN_A_CHILD |= EVERYWHERE | LOOPS
