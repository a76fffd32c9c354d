"""The command line, `python -m retryq`.

Each command has a room of its own. This one chooses, and ends quietly on Ctrl-C or a closed pipe.
"""

from __future__ import annotations

import argparse
import contextlib
import errno
import io
import os
import sys
from collections.abc import Sequence

INTERRUPTED = 130  # what a shell reports for a program ended by Ctrl-C,
PIPE_CLOSED = 141  # and for one whose reader went away

RUN = """\
Run scenarios on retryq.Queue and print one line of JSON outputs for each.

If the first line that is not blank is a complete JSON value, every line is a scenario;
otherwise the whole file is one. Blank lines between scenarios are skipped.
A scenario whose outputs are not its "expected" ones is reported on standard error.
So is a bad one, which prints null in its place, and the rest still runs."""

CHECK = """\
Hold each queue against every rule, and print what is found: that it passes, or the shortest
scenario in which it breaks a rule. Each runs in processes of its own, which are stopped if
they hang; importing it is part of that."""

CHECK_STATUS = "exit status: 0 all pass, 1 some do not, 2 some could not be loaded"
STATUS = "exit status: 0 all well, 1 some outputs differed, 2 some scenarios or files were bad"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and answer its exit status."""
    try:
        status = _dispatch(arguments)
        if sys.stdout is not None:
            sys.stdout.flush()  # here, where a failure can still be told
        return status
    except KeyboardInterrupt:
        return INTERRUPTED
    except OSError as error:  # only writing: a command reports by itself what it cannot read
        closed = isinstance(error, BrokenPipeError) or error.errno == errno.EINVAL  # the latter on Windows
        if not closed:
            with contextlib.suppress(OSError):
                print(f"cannot write: {error.strerror}", file=sys.stderr)
        _discard_output()
        return PIPE_CLOSED if closed else 2


def _ready_to_write() -> None:
    """What is printed arrives, whatever it says: a letter that the output's encoding lacks as its number, and
    nowhere at all where the output was closed before the start."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _dispatch(arguments: Sequence[str] | None) -> int:
    parser = argparse.ArgumentParser(prog="python -m retryq", description="A small job queue that retries.")
    commands = parser.add_subparsers(title="commands", dest="command", metavar="COMMAND")
    run = commands.add_parser(
        "run", help="run scenarios, print their outputs", description=RUN, epilog=STATUS
    )
    run.formatter_class = argparse.RawDescriptionHelpFormatter
    run.add_argument("files", metavar="FILE", nargs="*", help="scenarios to run; - or none: standard input")

    check = commands.add_parser(
        "check", help="hold queues against every rule", description=CHECK, epilog=CHECK_STATUS
    )
    check.formatter_class = argparse.RawDescriptionHelpFormatter
    check.add_argument("targets", metavar="TARGET", nargs="+",
                       help="MODULE:CLASS, FILE.py:CLASS, FILE.ipynb:CLASS, or FOLDER:CLASS for all files in it")
    check.add_argument("--jobs", type=_at_least_one, default=1, metavar="N", help="check so many at once")
    form = check.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print a line of JSON for each")
    form.add_argument("--csv", action="store_true", help="print a row of CSV for each, below a heading")
    check.add_argument(
        "--clauses", action="append", default=[], metavar="PATTERN", help='look at these alone, such as "fifo.*"'
    )
    check.add_argument("--seconds", type=_seconds, metavar="S", help="the most that one check may take (10)")

    draw = commands.add_parser("draw", help="draw a scenario as a timeline, or print it as text")
    draw.add_argument("scenario", metavar="SCENARIO", help="the file that holds it; -: standard input")
    draw.add_argument("-o", "--output", metavar="PICTURE", help="an .svg, .png or .pdf to write; none: print the text")
    draw.add_argument("--cursor", type=int, metavar="STEP", help="show the run as it is after so many operations")

    options = parser.parse_args(arguments)
    if options.command == "run":
        from retryq.commands.run import run_files

        return run_files(options.files)
    if options.command == "check":
        from retryq.commands.check import check_targets

        chosen = "json" if options.json else "csv" if options.csv else "text"
        return check_targets(
            options.targets, jobs=options.jobs, form=chosen, clauses=options.clauses, seconds=options.seconds
        )
    if options.command == "draw":
        from retryq.commands.draw import draw_file

        return draw_file(options.scenario, options.output, options.cursor)
    parser.print_help()
    return 0


def _at_least_one(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"must be a whole number of at least 1, got {text!r}")
    return int(text)


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 1 <= seconds <= 3600:
        raise argparse.ArgumentTypeError(f"must be a number of seconds from 1 to 3600, got {text!r}")
    return seconds


def _discard_output() -> None:
    """Let Python's last flush at exit go nowhere, where it cannot fail aloud."""
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                os.dup2(nowhere, stream.fileno())


if __name__ == "__main__":
    _ready_to_write()
    sys.exit(main())
