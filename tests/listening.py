"""When is a JupyterLab that was just started there? It writes down where, and some moments later it listens."""

from __future__ import annotations

import json
import socket
import subprocess
import time
from contextlib import suppress
from pathlib import Path

START_TIME = 120  # seconds; five are usual


def until_it_listens(runtime: Path, server: subprocess.Popen, log: Path) -> dict:
    """What the server writes down about itself in its runtime folder, as soon as it takes calls: with port 0, only it
    knows its address. ``RuntimeError``, with the end of its log, where it ends or takes too long."""
    end = time.monotonic() + START_TIME
    while time.monotonic() < end and server.poll() is None:
        for file in runtime.glob("jpserver-*.json"):
            with suppress(ValueError, ConnectionRefusedError):  # it is being written; or nobody listens yet
                told = json.loads(file.read_text("utf-8"))
                socket.create_connection((told["hostname"], told["port"])).close()
                return dict(told)
        time.sleep(0.05)
    raise RuntimeError(f"JupyterLab did not start:\n{log.read_text('utf-8', errors='replace')[-3000:]}")
