"""When is a JupyterLab that was just started there? It writes down its address some moments before it listens."""

from __future__ import annotations

import socket
import subprocess
import time
from urllib.parse import urlsplit


def until_it_listens(url: str, server: subprocess.Popen) -> None:
    """Wait until somebody takes calls at this address. ``RuntimeError`` where the server ends before that."""
    place = urlsplit(url)
    while server.poll() is None:
        try:
            socket.create_connection((place.hostname, place.port)).close()
        except ConnectionRefusedError:
            time.sleep(0.05)
        else:
            return
    raise RuntimeError(f"the server at {url} ended with status {server.returncode}")
