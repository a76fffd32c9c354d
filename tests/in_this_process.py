"""`python -m retryq` without a process of its own, which would make all runs of a check anew."""

from __future__ import annotations

import contextlib
import io
import subprocess
from pathlib import Path
from unittest import mock

from retryq.__main__ import main

ROOT = Path(__file__).resolve().parent.parent


def command(*words: str, folder: Path = ROOT, given: str = "") -> subprocess.CompletedProcess[str]:
    """What the command with these words, in this folder and with this on its standard input, says and answers."""
    streams = [io.TextIOWrapper(io.BytesIO(text.encode()), "utf-8") for text in (given, "", "")]
    with (
        contextlib.chdir(folder),
        mock.patch("sys.stdin", streams[0]), mock.patch("sys.stdout", streams[1]), mock.patch("sys.stderr", streams[2]),
    ):  # fmt: skip
        try:
            status = main(list(words))
        except SystemExit as end:
            status = int(end.code or 0)
    for stream in streams[1:]:
        stream.flush()
    said, complained = (stream.buffer.getvalue().decode() for stream in streams[1:])  # type: ignore[attr-defined]
    return subprocess.CompletedProcess(words, status, said, complained)
