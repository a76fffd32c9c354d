"""Run notebooks and store their outputs in the house form. A maintainer's command:

    python tests/execute_notebooks.py                  every notebook
    python tests/execute_notebooks.py 03-capacity      these alone (a stem, a file name or a path)

The house form is what a diff can be read in: execution counts 1, 2, 3 ..., nothing of this machine (no paths, times,
versions or widget states), the same JSON layout everywhere. A second run writes the same bytes; only pictures may
change, with another version of matplotlib.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

import nbformat
from nbformat import NotebookNode

ROOT = Path(__file__).resolve().parent.parent
NOTEBOOKS = ROOT / "notebooks"
CELL_TIMEOUT = 120  # seconds

METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
CELL_METADATA = ("slideshow", "tags")  # what a cell may carry; an editor's and a kernel's notes are dropped
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"


def notebook_files(folder: Path = NOTEBOOKS) -> list[Path]:
    """Every notebook that is tested, lessons first, then solutions; in reading order."""
    return sorted(folder.glob("*.ipynb")) + sorted(folder.glob("solutions/*.ipynb"))


def read(path: Path) -> NotebookNode:
    return nbformat.v4.reads(path.read_text(encoding="utf-8"))  # as it is: nothing mended, nothing warned


def tidy(notebook: NotebookNode, stem: str) -> NotebookNode:
    """The notebook without what belongs to one machine, one run or one editor. Tidy stays tidy."""
    cells = []
    ids: set[str] = set()
    for number, cell in enumerate(notebook.cells, start=1):
        cell_id = cell.get("id")
        if not cell_id or cell_id in ids:
            cell_id = f"{stem[:2]}-added-{number}"
        ids.add(cell_id)
        tidied = {
            "id": cell_id,
            "cell_type": cell.cell_type,
            "metadata": {key: cell.metadata[key] for key in CELL_METADATA if cell.metadata.get(key)},
            "source": cell.source.replace("\r\n", "\n").rstrip("\n"),
        }
        if cell.cell_type == "code":
            tidied["execution_count"] = cell.execution_count
            tidied["outputs"] = tidy_outputs(cell.outputs)
        cells.append(tidied)
    return nbformat.from_dict({"cells": cells, "metadata": METADATA, "nbformat": 4, "nbformat_minor": 5})


def tidy_outputs(outputs: list[NotebookNode]) -> list[dict]:
    """Outputs as they are stored: pieces of one stream joined, no random widget ids, no files in a traceback."""
    stored: list[dict] = []
    for output in outputs:
        if output.output_type == "stream":
            if stored and stored[-1]["output_type"] == "stream" and stored[-1]["name"] == output.name:
                stored[-1]["text"] += output.text
            else:
                stored.append({"output_type": "stream", "name": output.name, "text": output.text})
        elif output.output_type == "error":
            stored.append(
                {
                    "output_type": "error",
                    "ename": output.ename,
                    "evalue": output.evalue,
                    "traceback": [f"{output.ename}: {output.evalue}"],
                }
            )
        else:
            kept = dict(output)
            # A live control is stored as its text and its picture: its own id is new in every run and names
            # nothing in a saved file, where a reader would see an error in its place.
            kept["data"] = {kind: data for kind, data in output.data.items() if kind != WIDGET_VIEW}
            stored.append(kept)
    return stored


def text(notebook: NotebookNode) -> str:
    """The file's text: one space of indentation, keys in order, one newline at the end."""
    return nbformat.v4.writes(notebook).rstrip("\n") + "\n"


def execute(path: Path) -> bool:
    """Run one notebook in a fresh kernel of this Python and store it. True if the file changed."""
    from ipykernel.kernelspec import RESOURCES, get_kernel_dict
    from jupyter_client.kernelspec import KernelSpec, KernelSpecManager
    from jupyter_client.manager import AsyncKernelManager
    from nbclient import NotebookClient

    class ThisPython(KernelSpecManager):
        def get_kernel_spec(self, kernel_name: str) -> KernelSpec:
            return KernelSpec(resource_dir=RESOURCES, **get_kernel_dict())

    notebook = tidy(read(path), path.stem)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    NotebookClient(
        notebook,
        km=AsyncKernelManager(kernel_spec_manager=ThisPython(), kernel_name="python3"),
        timeout=CELL_TIMEOUT,
        store_widget_state=False,
        record_timing=False,
        resources={"metadata": {"path": str(path.parent)}},
    ).execute(stderr=subprocess.DEVNULL)  # what a kernel tells its terminal, not what a cell prints
    new = text(tidy(notebook, path.stem)).encode("utf-8")
    if new == path.read_bytes():
        return False
    path.write_bytes(new)
    return True


def find(name: str) -> Path:
    """The notebook that a user means by a stem, a file name or a path."""
    candidates = [Path(name), NOTEBOOKS / name, NOTEBOOKS / f"{name}.ipynb"]
    for candidate in candidates:
        if candidate.is_file():
            return candidate.resolve()
    raise SystemExit(f"execute_notebooks: no notebook called {name} (looked in notebooks/ too)")


def main(arguments: list[str] | None = None) -> int:
    from nbclient.exceptions import CellControlSignal

    parser = argparse.ArgumentParser(description="Run notebooks and store their outputs in the house form.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="stem, file name or path; none: every notebook")
    names = parser.parse_args(arguments).names
    # The kernel starts in the notebook's folder and must still meet this tree, not an installed copy.
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH", "")]))
    failed = 0
    for path in [find(name) for name in names] or notebook_files():
        try:
            print(f"{path.name}: {'stored' if execute(path) else 'unchanged'}", flush=True)
        except (CellControlSignal, RuntimeError, TimeoutError, OSError, ValueError) as error:
            # A cell failed, hung or killed its kernel, or the file is none: say so and go on with the next one.
            failed += 1
            print(f"{path.name}: not stored. {error}", file=sys.stderr, flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
