"""Small notebooks for the tests of the tests: a healthy one, from which damaged copies are made."""

from __future__ import annotations

import base64
import io
from pathlib import Path

import execute_notebooks
import nbformat
from PIL import Image, ImageDraw

FILLER = (
    "These are some words of plain text that a reader would read here, "
    "so that the cell is about as long as text cells in a lesson are."
)


def png(bar: int = 60, *, blank: bool = False, size: tuple[int, int] = (240, 120), level: int = 6) -> bytes:
    """A white card with one dark bar that ends at ``bar`` percent of its width. ``level`` changes the bytes alone."""
    picture = Image.new("RGB", size, "white")
    if not blank:
        right = size[0] * bar // 100
        ImageDraw.Draw(picture).rectangle((0, size[1] // 3, right, 2 * size[1] // 3), fill="black")
    file = io.BytesIO()
    picture.save(file, "PNG", compress_level=level)
    return file.getvalue()


def base64_text(content: bytes) -> str:
    return base64.b64encode(content).decode("ascii")


def img(content: bytes, alt: str = "a: waiting, then in flight") -> str:
    return f'<img alt="{alt}" src="data:image/png;base64,{base64_text(content)}">'


def markdown(source: str) -> dict:
    return {"cell_type": "markdown", "metadata": {}, "source": source}


def code(source: str, *outputs: dict, tags: list[str] | None = None) -> dict:
    metadata = {"tags": tags} if tags else {}
    return {"cell_type": "code", "metadata": metadata, "source": source, "outputs": list(outputs)}


def printed(text: str, name: str = "stdout") -> dict:
    return {"output_type": "stream", "name": name, "text": text}


def shown(data: str | dict, kind: str = "execute_result") -> dict:
    """A thing that a cell shows: as its last expression, or by ``display`` (kind ``display_data``)."""
    data = {"text/plain": data} if isinstance(data, str) else data
    return {"output_type": kind, "metadata": {}, "data": data}


def raised(name: str, value: str) -> dict:
    return {"output_type": "error", "ename": name, "evalue": value, "traceback": [f"{name}: {value}"]}


def notebook(*cells: dict) -> nbformat.NotebookNode:
    """A notebook as if run from the top: ids, counts and metadata of the house."""
    count = 0
    numbered = []
    for number, cell in enumerate(cells, start=1):
        cell = {"id": f"sample-{number:02d}", **cell}
        if cell["cell_type"] == "code":
            count += 1
            results = [dict(o, execution_count=count) if o["output_type"] == "execute_result" else o
                       for o in cell["outputs"]]  # fmt: skip
            cell |= {"execution_count": count, "outputs": results}
        numbered.append(cell)
    parts = {"cells": numbered, "metadata": execute_notebooks.METADATA, "nbformat": 4, "nbformat_minor": 5}
    return nbformat.from_dict(parts)


def healthy() -> nbformat.NotebookNode:
    """One of everything that a notebook may hold; no lesson, so that the rules of a lesson do not apply."""
    enqueue = 'from retryq import Queue\n\nqueue = Queue(capacity=1)\nqueue.enqueue("a", "A")'
    picture = shown({"text/html": img(png()), "text/plain": "a | waiting | in flight #1"})
    timed = "# Not compared: the time is this machine's own.\nmeasure(Queue)"
    refusal = "id must be a str, got int"
    return notebook(
        markdown(f"# A small notebook\n\n{FILLER}"),
        code(enqueue, shown("True")),
        markdown(FILLER),
        code("print(queue.reserve())", printed("Job(id='a', payload='A', attempt=1)\n")),
        markdown(f"## What it looks like\n\n{FILLER} `fifo.head` decides. Back to [the start](#A-small-notebook)."),
        code("Timeline(history)", picture),
        markdown(FILLER),
        code('queue.enqueue(1, "A")', raised("TypeError", refusal), tags=["raises-exception"]),
        markdown(FILLER),
        code(timed, printed("12 ms\n"), tags=["nbval-ignore-output"]),
    )


def write(path: Path, content: nbformat.NotebookNode) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(execute_notebooks.text(nbformat.from_dict(content)).encode("utf-8"))
    return path
