"""Hostile programs under guard: every one is named, none is felt outside."""

from __future__ import annotations

import ctypes
import os
import select
import signal
import subprocess
import sys
import textwrap
import threading
import time
from functools import partial
from pathlib import Path

import pytest
from hostile_programs import EVERYWHERE, IN_A_CHILD, LOOPS, STEPS, loop, recursion

from retryq import Queue, guard, scenario
from retryq.guard import Outcome, Progress, call
from retryq.guarding import outcome as guard_outcome
from retryq.guarding.outcome import Watch

ROOT = Path(guard.__file__).resolve().parent.parent
FORKS = hasattr(os, "fork")
SHORT = 0.2  # seconds for what never ends
WAYS = ("process", "thread", "inline") if FORKS else ("thread", "inline")


def named(case, how):
    program, kind, words = case
    # What ends by itself is waited for, however busy the machine.
    outcome = call(program, seconds=SHORT if kind == "ran too long" else 60, memory=2**26, how=how)
    assert (outcome.kind, words in str(outcome)) == (kind, True), str(outcome)
    assert len(outcome.output) <= 20_000


if FORKS:

    @pytest.mark.parametrize("name", IN_A_CHILD)
    def test_a_child_process_names_every_hostile_program(name):
        named(IN_A_CHILD[name], "process")


@pytest.mark.parametrize("how", ["thread", "inline"])
@pytest.mark.parametrize("name", EVERYWHERE)
def test_this_process_names_what_it_can(name, how):
    named(EVERYWHERE[name], how)


@pytest.mark.parametrize(
    ("name", "how"),
    [(name, how) for name in LOOPS for how in ("thread", "inline") if STEPS]
    or [("an endless loop", "thread"), ("an endless flood", "thread")],
)
def test_this_process_stops_loops(name, how):
    named(LOOPS[name], how)


@pytest.mark.parametrize("how", ["thread", "inline"])
def test_this_process_survives_an_abort(how):
    assert call(lambda: os.abort(), how=how).kind == "exited"


def test_a_thread_that_cannot_be_stopped_is_left_behind():
    door = threading.Lock()
    door.acquire()

    def stuck():
        door.acquire()
        loop()

    outcome = call(stuck, seconds=0.1, how="thread")
    assert outcome.kind == "ran too long"
    assert "left behind" in outcome.detail
    door.release()  # the thread wakes up, and its interrupt is there
    [thread] = [thread for thread in threading.enumerate() if thread.name == "retryq.guard"]
    thread.join(5)
    assert not thread.is_alive()


@pytest.mark.parametrize("how", WAYS)
def test_this_process_is_as_it_was(how):
    def look():
        return (
            sys.stdin, sys.stdout, sys.stderr, sys.__stdout__, input, sys.breakpointhook, os._exit, os.abort,
            os.getcwd(), sys.getrecursionlimit(), signal.getsignal(signal.SIGINT), threading.active_count(),
            [sys.monitoring.get_tool(number) for number in range(6)] if STEPS else None,
        )  # fmt: skip

    def meddle():
        sys.setrecursionlimit(5000)
        print("out")
        raise SystemExit

    before = look()
    call(meddle, how=how)
    call(loop if STEPS or how == "process" else int, seconds=0.1, how=how)
    assert look() == before


@pytest.mark.parametrize("how", WAYS)
def test_a_value_comes_back_as_a_copy(how):
    value = (None, True, 3, 2.5, "text", b"bytes", [1, {"key": {1, 2}}], frozenset())
    outcome = call(lambda: value, how=how)
    assert outcome == Outcome("returned", "returned", value)
    assert outcome.value[6] is not value[6]


@pytest.mark.parametrize("how", WAYS)
def test_what_is_printed_is_kept_up_to_the_limit(how, capfd):
    def talk():
        print("héllo")
        print("error", file=sys.stderr)
        print("past any redirection", file=sys.__stdout__)
        sys.stdout.write("\ud800 lone surrogate")

    assert call(talk, how=how).output == "héllo\nerror\npast any redirection\n\\ud800 lone surrogate"
    short = call(talk, how=how, output_limit=2)
    assert (short.output, short.flooded) == ("h", True)  # half of a character is no character
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("how", WAYS)
def test_an_exception_is_described_by_the_frames_of_the_code(how):
    class Student:
        def reserve(self):
            return self.line[0]

    error = call(lambda: Student().reserve(), how=how).error
    assert str(error) == "AttributeError: 'Student' object has no attribute 'line'"
    first, last = error.trace.splitlines()
    assert first.startswith("test_guard.py, line")
    assert last.endswith("in reserve: return self.line[0]")
    assert str(ROOT) not in error.trace


def test_the_frames_that_led_to_the_code_are_left_out():
    class Student:
        def __init__(self, capacity):
            self.line = capacity["a"]

    trace = call(partial(scenario.run, scenario.Scenario(1, (("reserve",),)), Student)).error.trace
    assert trace.endswith('in __init__: self.line = capacity["a"]')
    assert len(trace.splitlines()) == 1


def test_a_class_of_the_package_keeps_its_last_frame():
    trace = call(lambda: Queue("two")).error.trace
    assert "queue.py" in trace.splitlines()[-1]
    trace = call(partial(Queue, "two")).error.trace  # called by guard itself: there is no frame of ours
    assert trace.startswith("queue.py, line")
    assert len(trace.splitlines()) == 1


def test_a_deep_trace_is_cut_in_the_middle():
    lines = call(recursion).error.trace.splitlines()
    assert len(lines) == 7
    assert lines[3].startswith("... ")
    assert call(lambda: int("x")).error.trace.count("\n") == 0


def test_memory_addresses_are_left_out():
    def fail():
        raise ValueError(f"{object()!r} came twice")

    assert str(call(fail).error) == "ValueError: <object object> came twice"


@pytest.mark.parametrize("how", WAYS)
def test_progress_says_how_far_it_came(how):
    progress = Progress()

    def work():
        for serial in range(5):
            progress.note(b"scenario %d" % serial)
            progress.cells[3] = serial
        os._exit(1)

    outcome = call(work, progress=progress, how=how)
    assert (outcome.kind, outcome.progress, progress.cells[3]) == ("exited", b"scenario 4", 4)
    assert call(int, progress=progress, how=how).progress == b""  # the note is of this call, not of the last


@pytest.mark.parametrize("how", WAYS if STEPS else WAYS[:2])
def test_stall_stops_what_stands_still(how):
    outcome = call(loop, seconds=60, stall=0.2, progress=Progress(), how=how)
    assert outcome.kind == "ran too long"
    assert "stuck in one place for 0.2 seconds" in outcome.detail


def test_stall_does_not_stop_what_moves(monkeypatch):
    now = [100.0]
    monkeypatch.setattr(guard_outcome, "monotonic", lambda: now[0])
    progress = Progress()
    watch = Watch(60, 1, progress)
    for serial in range(50):
        now[0] += 0.9
        progress.cells[0] = serial
        assert watch.verdict() == ""
    now[0] += 1.1
    assert "stuck" in watch.verdict()
    progress.note(b"on again")
    assert watch.verdict() == ""
    now[0] += 20
    assert "still running after 60 seconds" in watch.verdict()


def test_a_note_longer_than_its_room_is_cut():
    progress = Progress(4)
    progress.note(b"abcdef")
    assert progress.read() == b"abcd"


def test_a_way_that_does_not_exist_is_refused():
    with pytest.raises(ValueError, match="'prayer'"):
        call(int, how="prayer")


def test_a_browser_gets_the_only_way_it_has(monkeypatch):
    monkeypatch.setattr(sys, "platform", "emscripten")
    monkeypatch.setattr(threading.Thread, "start", lambda _self: pytest.fail("a browser has no threads"))
    monkeypatch.setattr(os, "fork", lambda: pytest.fail("a browser cannot fork"), raising=False)
    assert call(lambda: 42).value == 42


def test_where_no_process_is_to_be_had_a_thread_serves(monkeypatch):
    def refuse():
        raise BlockingIOError("Resource temporarily unavailable")

    monkeypatch.setattr(os, "fork", refuse, raising=False)
    assert call(lambda: 42).value == 42


@pytest.mark.parametrize("how", WAYS[:-1])
def test_an_interrupt_of_the_caller_comes_through(how):
    threading.Timer(0.2, lambda: signal.raise_signal(signal.SIGINT)).start()
    program, *_ = LOOPS["a loop that catches everything" if STEPS else "an endless loop"]
    with pytest.raises(KeyboardInterrupt):
        call(program, seconds=30, how=how)
    assert [thread for thread in threading.enumerate() if thread.name == "retryq.guard"] == []


if FORKS:

    def test_a_guarded_call_may_guard_another():
        assert call(lambda: call(lambda: 42).value).value == 42

    def test_nothing_is_changed_outside_of_the_child():
        class Shared:
            jobs = ()

        def meddle():
            Shared.jobs += ("a",)
            os.chdir("/")
            os.environ["RETRYQ_TEST"] = "1"
            return Shared.jobs

        before = os.getcwd()
        assert call(meddle).value == ("a",)
        assert (Shared.jobs, os.getcwd(), "RETRYQ_TEST" in os.environ) == ((), before, False)

    def test_no_process_is_left_behind():
        progress = Progress()

        def fork_in_c():
            if ctypes.CDLL(None).fork() == 0:
                while True:
                    progress.cells[0] ^= 1
                    time.sleep(0.001)
            while not progress.cells[0]:  # it lives
                pass
            return os.getpid()

        child = call(fork_in_c, progress=progress).value
        states = set()
        for _ in range(50):
            states.add(progress.cells[0])
            time.sleep(0.002)
        assert len(states) == 1
        with pytest.raises(ChildProcessError):  # not even a zombie
            os.waitpid(child, os.WNOHANG)

    def test_a_child_that_was_killed_is_buried():
        progress = Progress()

        def endless():
            progress.note(b"%d" % os.getpid())
            loop()

        with pytest.raises(ChildProcessError):
            os.waitpid(int(call(endless, seconds=0.2, progress=progress).progress), os.WNOHANG)

    def test_a_grandchild_neither_answers_nor_delays():
        def impostor():
            grandchild = ctypes.CDLL(None).fork()
            if grandchild == 0:
                return "not from me"
            os.waitpid(grandchild, 0)
            os._exit(3)

        def sleeper():
            if ctypes.CDLL(None).fork() == 0:
                time.sleep(100)  # and holds the output open
            os._exit(3)

        assert [call(program).kind for program in (impostor, sleeper)] == ["exited", "exited"]

    def test_a_child_ends_without_its_parent():
        script = """
            import os, time
            from retryq import guard
            print("started", flush=True)
            guard.call(lambda: guard.sleep(0.1) or os.write(LIFE, b"alive") and time.sleep(1000), seconds=0.5)
        """
        life, hold = os.pipe()
        code = textwrap.dedent(script).replace("LIFE", str(hold))
        parent = subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, pass_fds=[hold])
        os.close(hold)
        with os.fdopen(life, "rb", 0) as file:
            assert file.read(5) == b"alive"
            parent.kill()
            parent.wait()
            assert select.select([file], [], [], 30)[0], "the orphan lives on"
            assert file.read() == b""

    def test_closed_files_do_not_lose_the_answer():
        def work():
            os.closerange(0, 200)
            print("still heard")
            return 42

        outcome = call(work)
        assert (outcome.value, outcome.output) == (42, "still heard\n")

    def test_what_is_written_below_python_is_kept(capfd):
        assert call(lambda: os.write(2, b"from C")).output == "from C"
        assert capfd.readouterr() == ("", "")

    def test_it_works_outside_of_the_main_thread():
        outcomes = []
        thread = threading.Thread(
            target=lambda: outcomes.extend(
                call(f, seconds=SHORT) for f in (lambda: 42, loop, lambda: os._exit(3))
            )
        )
        thread.start()
        thread.join()
        assert [outcome.kind for outcome in outcomes] == ["returned", "ran too long", "exited"]

    def test_it_works_where_the_end_of_children_is_ignored():
        before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
        try:
            assert call(lambda: 42).value == 42
            assert call(loop, seconds=0.1).kind == "ran too long"
        finally:
            signal.signal(signal.SIGCHLD, before)

    def test_a_clock_replaced_in_this_process_changes_nothing(monkeypatch):
        monkeypatch.setattr(time, "monotonic", lambda: 0)
        assert "still running after 0.1 seconds" in call(loop, seconds=0.1).detail

    def test_a_debugger_that_waits_for_somebody_does_not_hold_up_the_child():
        parent = os.getpid()

        def debugger(frame, _event, _argument):
            if os.getpid() != parent and "test_guard" in frame.f_code.co_filename:
                loop()

        before = sys.gettrace()
        sys.settrace(debugger)
        try:
            outcome = call(lambda: [abs(x) for x in range(-3, 0)])
        finally:
            sys.settrace(before)
        assert outcome.value == [3, 2, 1]

    def test_a_program_is_not_run_twice():
        """What is still to be printed or read, and what happens at exit, is the parent's."""
        script = """
            import atexit, os, sys, threading, time
            from retryq import guard
            threading.Thread(target=time.sleep, args=(0.5,)).start()
            atexit.register(print, "goodbye")
            print("hello", end=" ")
            stdout = sys.stdout
            def work():
                atexit.register(print, "never")
                os.read(0, 10)
                stdout.flush()
                stdout.write("unseen")
                sys.exit()
            print(guard.call(work))
            print(input())
        """
        done = subprocess.run(
            [sys.executable, "-W", "error", "-c", textwrap.dedent(script)],
            input="kept", capture_output=True, text=True, cwd=ROOT, check=False,
        )  # fmt: skip
        assert done.stderr == ""  # threads and fork: no warning reaches the page
        assert done.stdout == "hello The code ended the whole program, with exit code 0.\nkept\ngoodbye\n"

    CELLS = (
        """
        import logging, os, sys, time
        import matplotlib.pyplot
        from retryq import guard
        logging.basicConfig()
        shared = []
        class Mine:
            def answer(self): return [6 * 7]
            def loop(self):
                while True:
                    try: pass
                    except: pass
            def flood(self):
                for _ in range(1000):
                    print("SPAM")
                    logging.warning("SPAM")
                    os.write(1, b"SPAM")
            def show(self): display([1, 2])
            def ask(self): return input()
            def leave(self): os._exit(0)
            def exit(self): sys.exit()
            def kill(self): os.kill(os.getppid(), 9)
            def wrong(self): return shared[0]
        def report(name):
            outcome = guard.call(getattr(Mine(), name), seconds=0.5 if name == 'loop' else 5)
            print(name, "-", outcome, outcome.value or outcome.output[:10].strip())
            if outcome.error: print(outcome.error.trace.partition(", in ")[2])
        """,
        "for name in ['answer', 'loop', 'flood', 'show', 'ask', 'leave', 'exit', 'kill', 'wrong']: report(name)",
        "print(len(shared), 'the kernel answers')",
    )

    def test_a_notebook_keeps_its_kernel(monkeypatch):
        from jupyter_client.manager import start_new_kernel

        monkeypatch.setenv("PYTHONPATH", str(ROOT))
        printed = []

        def hear(message):
            if message["msg_type"] not in ("status", "execute_input"):
                printed.append(message["content"].get("text") or str(message["content"]))

        manager, client = start_new_kernel(kernel_name="python3")
        try:
            for cell in CELLS:
                reply = client.execute_interactive(textwrap.dedent(cell), timeout=60, output_hook=hear)
                assert reply["content"]["status"] == "ok", printed
        finally:
            client.stop_channels()
            manager.shutdown_kernel(now=True)
        assert "".join(printed).splitlines() == [
            "answer - The code returned. [42]",
            "loop - The code was stopped, still running after 0.5 seconds. ",
            "flood - The code returned, and it flooded its output, of which the first 20,000 bytes are kept. SPAM",
            "WARNI",
            "show - The code returned. [1, 2]",
            "ask - The code raised EOFError: the code asked for input, and nobody is there to answer. ",
            "ask: def ask(self): return input()",
            "leave - The code ended the whole program, with exit code 0. ",
            "exit - The code ended the whole program, with exit code 0. ",
            "kill - The code raised PermissionError: code under guard may not signal another process (os.kill). ",
            "kill: def kill(self): os.kill(os.getppid(), 9)",
            "wrong - The code raised IndexError: list index out of range. ",
            "wrong: def wrong(self): return shared[0]",
            "0 the kernel answers",
        ]
