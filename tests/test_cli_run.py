"""`python -m retryq run`, as a program at the end of a pipe sees it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

import retryq
from retryq import __main__ as command_line
from retryq.data import examples, field_reports
from retryq.scenario import dump

ROOT = Path(retryq.__file__).parent.parent
DATA = ROOT / "retryq" / "data"
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}
ENVIRONMENT.pop("PYTHONUNBUFFERED", None)  # it would flush what the program forgets to
COMMAND = [sys.executable, "-m", "retryq"]
HANGING = 60  # seconds after which a program that waits for ever is ended, so that its test is red

GOOD = '{"capacity": 1, "ops": [["enqueue", "a", "A"], ["reserve"]]}'
WRONG = '{"name": "w", "capacity": 1, "ops": [["reserve"], ["cancel", "a"]], "expected": [null, true]}'


def retryq_run(*arguments: str, stdin: str | bytes = "", cwd: Path | None = None) -> tuple[int, str, str]:
    """Exit status, standard output, standard error."""
    data = stdin.encode() if isinstance(stdin, str) else stdin
    done = subprocess.run(
        [*COMMAND, "run", *arguments],
        input=data,
        capture_output=True,
        cwd=cwd,
        env=ENVIRONMENT,
        timeout=HANGING,
    )
    return done.returncode, *(out.decode("ascii").replace("\r\n", "\n") for out in (done.stdout, done.stderr))


@contextmanager
def running(command: list[str]):
    """The program with pipes for everything. It is ended when the block is left, or when it hangs."""
    pipe = subprocess.PIPE
    process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, env=ENVIRONMENT)
    watchdog = threading.Timer(HANGING, process.kill)
    watchdog.start()
    try:
        yield process
    finally:
        watchdog.cancel()
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout, process.stderr):
            with suppress(OSError):
                stream.close()


# ---- one scenario, many scenarios


def test_one_line_of_outputs_for_each_line_in_order():
    status, out, err = retryq_run(str(DATA / "examples.jsonl"))
    assert (status, err) == (0, "")
    assert [json.loads(line) for line in out.splitlines()] == [
        json.loads(dump(s))["expected"] for s in examples()
    ]


def test_all_field_reports_pass():
    status, out, err = retryq_run(str(DATA / "field-reports.jsonl"))
    assert (status, err, len(out.splitlines())) == (0, "", len(field_reports()))


def test_the_whole_input_is_one_scenario_when_its_first_line_is_not():
    pretty = json.dumps(json.loads(GOOD), indent=2)
    for text in (pretty, "\n\n" + pretty, pretty.replace("\n", "\r\n")):
        assert retryq_run(stdin=text) == (0, '[true, ["a", "A", 1]]\n', "")


def test_blank_lines_and_line_ends_of_any_kind_change_nothing():
    for text in (GOOD, GOOD + "\n", f"\n\n{GOOD}\r\n\r\n  \n{GOOD}\n\n", f"{GOOD}\n{GOOD}"):
        status, out, err = retryq_run(stdin=text)
        assert (status, err) == (0, "")
        assert out == '[true, ["a", "A", 1]]\n' * text.count("capacity")


def test_files_are_run_in_order_and_a_dash_is_standard_input(tmp_path):
    (tmp_path / "one.json").write_text('{"capacity": 0, "ops": [["enqueue", "a", ""]]}')
    (tmp_path / "two.json").write_text('{\n"capacity": 0, "ops": [["new"]]}')
    status, out, err = retryq_run("two.json", "-", "one.json", "-", stdin=GOOD, cwd=tmp_path)
    assert out == '[null]\n[true, ["a", "A", 1]]\n[false]\nnull\n'
    assert (status, err) == (2, "<stdin>: text: is empty where a JSON object should stand\n")


def test_output_is_ascii_whatever_comes_in():
    status, out, err = retryq_run(
        stdin='{"capacity": 0, "ops": [], "name": "caf\u00e9"}\n{"capacity": "\u00e9", "ops": []}\n{}'
    )
    assert (status, out) == (2, "[]\nnull\nnull\n")
    assert "\\u00e9" in err


# ---- what is wrong


def test_a_difference_is_reported_with_the_first_operation_that_differs():
    assert retryq_run(stdin=f"{GOOD}\n\n{WRONG}\n{GOOD}") == (
        1,
        '[true, ["a", "A", 1]]\n[null, false]\n[true, ["a", "A", 1]]\n',
        '<stdin>:3: "w": ops[1] ["cancel", "a"]: expected true, got false\n',
    )


def test_a_difference_names_the_file_and_does_without_a_name(tmp_path):
    wrong = {"capacity": 1, "ops": [["enqueue", "a", "A"], ["reserve"]], "expected": [True, ["a", "A", 2]]}
    (tmp_path / "pretty.json").write_text(json.dumps(wrong, indent=1))
    (tmp_path / "lines.jsonl").write_text(json.dumps(wrong))
    status, _, err = retryq_run("pretty.json", "lines.jsonl", cwd=tmp_path)
    difference = 'ops[1] ["reserve"]: expected ["a", "A", 2], got ["a", "A", 1]'
    assert (status, err) == (1, f"pretty.json: {difference}\nlines.jsonl:1: {difference}\n")


def test_a_bad_line_prints_null_in_its_place_and_the_rest_still_runs():
    bad = '{"capacity": 1, "ops": [["ack", "a", true]]}'
    lines = [GOOD, "{", bad, "[1]", '{"capacity": NaN}', "\ufeff" + GOOD, GOOD]
    status, out, err = retryq_run(stdin="\n".join(lines))
    assert status == 2
    good = '[true, ["a", "A", 1]]\n'
    assert out == good + "null\n" * 5 + good
    assert err.splitlines() == [
        "<stdin>:2: text: is not JSON at column 2: Expecting property name enclosed in double quotes",
        "<stdin>:3: ops[0]: attempt must be an integer 0-64, got true",
        "<stdin>:4: scenario: must be a JSON object, got [1]",
        "<stdin>:5: text: is not JSON: NaN is no JSON number",
        "<stdin>:6: text: starts with a byte order mark; save it as UTF-8 without one",
    ]


@pytest.mark.parametrize(
    "first",
    [
        "5",
        "NaN",
        "[]",
        "[" * 100_000 + "]" * 100_000,
        "1" * 10_000,
        "\ufeff{}",
        '{"capacity": 99, "ops": []}',
    ],
    ids=lambda first: first[:8].encode("ascii", "replace").decode(),
)
def test_a_first_line_that_is_json_but_no_scenario_is_one_bad_line(first):
    status, out, err = retryq_run(stdin=f"{first}\n{GOOD}\n")
    assert (status, out) == (2, 'null\n[true, ["a", "A", 1]]\n')
    assert err.startswith("<stdin>:1: ") and err.count("\n") == 1


@pytest.mark.parametrize(
    "text", [b"", b" \n\n", b"\xff\xfe\x00", b"{", GOOD.encode("utf-16"), b"\x00" * 1000]
)
def test_what_is_no_scenario_at_all_is_one_bad_scenario(text):
    status, out, err = retryq_run(stdin=text)
    assert (status, out) == (2, "null\n")
    assert err.startswith("<stdin>: text: ") and err.count("\n") == 1


def test_bytes_that_are_no_text_spoil_their_own_line_only():
    good = GOOD.encode()
    status, out, err = retryq_run(stdin=b"\n".join([good, b"\xff\xfe", good]))
    assert (status, out.splitlines()[1]) == (2, "null")
    assert err == "<stdin>:2: text: must be UTF-8, and byte 0 is not\n"


def test_bad_outweighs_different():
    assert retryq_run(stdin=f"{WRONG}\n5\n{GOOD}")[0] == retryq_run(stdin=f"{GOOD}\n5\n{WRONG}")[0] == 2


def test_a_file_that_cannot_be_read_is_told_and_the_others_still_run(tmp_path):
    (tmp_path / "good.json").write_text(GOOD)
    (tmp_path / "folder").mkdir()
    status, out, err = retryq_run("missing.json", "folder", "good.json", cwd=tmp_path)
    assert (status, out) == (2, '[true, ["a", "A", 1]]\n')
    missing, folder = err.splitlines()
    assert missing == "missing.json: cannot be read: No such file or directory"
    assert folder.startswith("folder: cannot be read: ")


# ---- at the end of a pipe


def test_a_line_is_answered_before_the_next_one_is_sent():
    with running([*COMMAND, "run"]) as process:
        for line, answer in ((GOOD, b'[true, ["a", "A", 1]]'), ("5", b"null"), (WRONG, b"[null, false]")):
            process.stdin.write(line.encode() + b"\n")
            process.stdin.flush()
            assert process.stdout.readline().strip() == answer
        assert process.stderr.readline().startswith(b"<stdin>:2: ")
        assert process.stderr.readline().startswith(b"<stdin>:3: ")
        process.stdin.close()
        assert process.wait() == 2


def test_a_closed_pipe_ends_it_quietly():
    with running([*COMMAND, "run"]) as process:
        process.stdin.write(GOOD.encode() + b"\n")
        process.stdin.flush()
        assert process.stdout.readline()
        process.stdout.close()  # as `head -1` does
        process.stdin.write(GOOD.encode() + b"\n")
        process.stdin.close()
        assert process.stderr.read() == b""
        assert process.wait() == 141


@pytest.mark.skipif(os.name == "nt", reason="Windows cannot send Ctrl-C to one process alone")
def test_ctrl_c_ends_it_quietly():
    # A shell may start the tests with SIGINT ignored, and a child inherits that: so it is set here.
    start = "import runpy, signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
    module = "runpy.run_module('retryq', run_name='__main__', alter_sys=True)"
    with running([sys.executable, "-c", start + module, "run"]) as process:
        process.stdin.write(GOOD.encode() + b"\n")
        process.stdin.flush()
        assert process.stdout.readline()  # it runs, and waits for the next line
        process.send_signal(signal.SIGINT)
        assert process.stderr.read() == b""
        assert process.wait() == 130


@pytest.mark.parametrize("failure, status", [(KeyboardInterrupt(), 130), (BrokenPipeError(), 141)])
def test_ctrl_c_and_a_closed_pipe_end_every_command_quietly(monkeypatch, capsys, failure, status):
    def fail(arguments):
        raise failure

    monkeypatch.setattr(command_line, "_dispatch", fail)
    monkeypatch.setattr(command_line, "_discard_output", lambda: None)
    assert command_line.main(["run"]) == status
    assert capsys.readouterr() == ("", "")


def test_output_that_cannot_be_written_is_told(monkeypatch, capsys):
    class Full:
        def write(self, text):
            raise OSError(28, "No space left on device")

        def flush(self):
            pass

    monkeypatch.setattr(command_line, "_discard_output", lambda: None)
    monkeypatch.setattr(sys, "stdout", Full())
    assert command_line.main(["run", str(DATA / "examples.jsonl")]) == 2
    assert capsys.readouterr().err == "cannot write: No space left on device\n"


def test_standard_input_that_is_closed_is_told(monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdin", None)
    assert command_line.main(["run"]) == 2
    assert capsys.readouterr() == ("", "<stdin>: cannot be read: standard input is closed\n")


def test_without_standard_error_the_output_stays_clean(monkeypatch, capsys, tmp_path):
    path = tmp_path / "s.jsonl"
    path.write_text(f"{WRONG}\n5\n")
    monkeypatch.setattr(sys, "stderr", None)
    assert command_line.main(["run", str(path)]) == 2
    assert capsys.readouterr().out == "[null, false]\nnull\n"


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_letters_that_the_output_s_encoding_lacks_are_told_by_number(tmp_path, encoding):
    path = tmp_path / "s.json"
    path.write_text('{"name": "\\u961f", "capacity": 1, "ops": [["reserve"]], "expected": [null]}')
    environment = {**ENVIRONMENT, "PYTHONIOENCODING": encoding}
    drawn = subprocess.run([*COMMAND, "draw", str(path)], capture_output=True, env=environment, check=False)
    assert drawn.returncode == 0 and drawn.stderr == b"" and drawn.stdout.startswith(b"\\u961f")


@pytest.mark.skipif(os.name == "nt", reason="a shell that can close a stream")
@pytest.mark.parametrize("words", ["run -", "draw -", "check retryq.zoo:LastInFirstOut", "check --csv nowhere.py:Q"])
@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_a_stream_that_was_closed_before_the_start_is_no_mistake_of_the_program(words, closed):
    line = f'"{sys.executable}" -m retryq {words} {closed}'
    done = subprocess.run(line, shell=True, input="", capture_output=True, text=True, env=ENVIRONMENT, check=False)
    assert "Traceback" not in done.stderr and done.returncode in (0, 1, 2)


# ---- help


def test_without_a_command_it_prints_help():
    done = subprocess.run(COMMAND, capture_output=True, text=True, env=ENVIRONMENT)
    assert done.returncode == 0 and done.stderr == ""
    assert "usage: python -m retryq" in done.stdout and "run" in done.stdout


def test_run_s_help_says_how_input_is_read_and_what_the_status_means():
    done = subprocess.run([*COMMAND, "run", "--help"], capture_output=True, text=True, env=ENVIRONMENT)
    assert done.returncode == 0
    for said in ("one", "null", "standard input", "exit status: 0", "1 ", "2 "):
        assert said in done.stdout


def test_an_unknown_command_is_a_mistake():
    done = subprocess.run([*COMMAND, "walk"], capture_output=True, text=True, env=ENVIRONMENT)
    assert done.returncode == 2 and "walk" in done.stderr and "Traceback" not in done.stderr
