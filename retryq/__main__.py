"""The command line, `python -m retryq`.

Each command has a room of its own. This one chooses, and ends quietly on Ctrl-C or a closed pipe.
"""

from __future__ import annotations

import argparse
import contextlib
import errno
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


def _dispatch(arguments: Sequence[str] | None) -> int:
    parser = argparse.ArgumentParser(prog="python -m retryq", description="A small job queue that retries.")
    commands = parser.add_subparsers(title="commands", dest="command", metavar="COMMAND")
    run = commands.add_parser(
        "run", help="run scenarios, print their outputs", description=RUN, epilog=STATUS
    )
    run.formatter_class = argparse.RawDescriptionHelpFormatter
    run.add_argument("files", metavar="FILE", nargs="*", help="scenarios to run; - or none: standard input")

    draw = commands.add_parser("draw", help="draw a scenario as a timeline, or print it as text")
    draw.add_argument("scenario", metavar="SCENARIO", help="the file that holds it; -: standard input")
    draw.add_argument("-o", "--output", metavar="PICTURE", help="an .svg, .png or .pdf to write; none: print the text")
    draw.add_argument("--cursor", type=int, metavar="STEP", help="show the run as it is after so many operations")

    options = parser.parse_args(arguments)
    if options.command == "run":
        from retryq.command_run import run_files

        return run_files(options.files)
    if options.command == "draw":
        from retryq.command_draw import draw_file

        return draw_file(options.scenario, options.output, options.cursor)
    parser.print_help()
    return 0


def _discard_output() -> None:
    """Let Python's last flush at exit go nowhere, where it cannot fail aloud."""
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                os.dup2(nowhere, stream.fileno())


if __name__ == "__main__":
    sys.exit(main())
