"""What a start costs: imports, a kernel's first picture, each notebook, and the whole test suite."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import nbformat
from jupyter_client.manager import start_new_kernel
from nbclient import NotebookClient

import start

ROOT = Path(__file__).resolve().parents[2]
PICTURE = "from retryq.timeline import Timeline; from retryq.data import examples; Timeline(examples()[0])"


def _python(code: str, turns: int) -> float:
    """Milliseconds of a fresh Python that runs this code; the best turn counts."""
    best = float("inf")
    for _ in range(turns):
        begin = time.perf_counter()
        subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)
        best = min(best, time.perf_counter() - begin)
    return 1000 * best


def imports(turns: int = 15) -> list[dict]:
    """Milliseconds that an import adds to a bare Python."""
    bare = _python("pass", turns)
    return [{"import": name, "ms_over_bare": _python(f"import {name}", turns) - bare}
            for name in ("retryq", "retryq.conformance", "retryq.timeline", "retryq.lab")]


def _kernel(code: str) -> float:
    """Seconds from a kernel's start to its answer to this code."""
    begin = time.perf_counter()
    manager, client = start_new_kernel(kernel_name="python3", cwd=str(ROOT))
    try:
        reply = client.execute_interactive(code, timeout=60, output_hook=lambda message: None)
        assert reply["content"]["status"] == "ok", reply["content"]
        return time.perf_counter() - begin
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


def first_picture(turns: int = 5) -> dict:
    """Seconds until a fresh kernel answers, and until it has drawn a picture; the best of some turns in turn."""
    bare, picture = [], []
    for _ in range(turns):
        bare.append(_kernel("1"))
        picture.append(_kernel(PICTURE))
    return {"bare_s": min(bare), "picture_s": min(picture), "over_bare_s": min(picture) - min(bare)}


def notebooks() -> list[dict]:
    """Seconds to execute each notebook, its kernel's start included."""
    rows = []
    for path in sorted((ROOT / "notebooks").rglob("*.ipynb")):
        notebook = nbformat.read(path, as_version=4)
        begin = time.perf_counter()
        NotebookClient(notebook, timeout=60, kernel_name="python3", store_widget_state=False,
                       resources={"metadata": {"path": str(path.parent)}}).execute()
        rows.append({"notebook": path.stem, "s": time.perf_counter() - begin})
    return rows


def suite() -> dict:
    """Seconds of all tests but those in a browser, as ``start.py test`` runs them."""
    begin = time.perf_counter()
    done = subprocess.run([sys.executable, "-m", "pytest", "-q", "--ignore=tests/browser", *start.EVERY_CORE], cwd=ROOT,
                          capture_output=True, text=True, check=False)
    return {"s": time.perf_counter() - begin, "said": done.stdout.strip().splitlines()[-1]}
