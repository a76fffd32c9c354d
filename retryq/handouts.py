"""Handouts of the lessons: each notebook as one HTML file that needs no network, and as a PDF to print.

`python start.py handouts` makes them all, in ``handouts/``. Pictures stand where a notebook has live controls, and
a sheet to fill in by pencil where it has a lab; the answers to questions are folded, and left out on paper.
With ``--slides`` they are pages for a projector (see ``slides.py``).

In an environment of your own it is `python -m retryq.handouts [NOTEBOOK ...]`. It needs nbconvert, which comes with
JupyterLab, and for the PDFs a Chromium, Chrome or Edge (``--browser``).
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from functools import cache
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any

from retryq.slides import slides

__all__ = ["main", "page", "print_to_pdf"]

LIVE = "<p>Run this cell to play: the lab's controls appear here.</p>"  # what a lab's static form ends with
FOLDED = ", then open what is folded"  # said above the questions; on paper nothing can be opened
WHY = "<summary>Why it was refused</summary>"  # below a timeline
COLUMNS = ("operation", "answer", "in line, the head first", "in flight, with attempts", "slots taken")
ROWS = 8
LONGEST = 120  # seconds for one PDF; two or three are usual


def page(notebook: Path) -> str:
    """A notebook, as it is stored, as one page of HTML that loads nothing.

    Links between lessons become links between their handouts; what else lies in the project, such as answers, is
    named and not linked. ``OSError`` where the file cannot be read,
    ``ValueError`` where it holds no notebook.
    """
    import nbformat

    try:
        stored = nbformat.read(notebook, as_version=4)
    except (nbformat.ValidationError, ValueError, LookupError, AttributeError) as error:
        raise ValueError(f"{notebook} is no notebook: {error}") from error
    body, _ = _exporter().from_notebook_node(stored, {"metadata": {"path": str(notebook.parent)}})
    body = re.sub(r'<a\b[^>]*\bhref="(?!#)([^":]+)"[^>]*>(.*?)</a>', _link, body)
    body = re.sub(rf"(<pre>[^<]*\b0\. Nothing [^<]*</pre>){re.escape(LIVE)}", lambda found: found[1] + sheet(), body).replace(LIVE, "")
    body = body.replace(FOLDED, f'<span class="screen-only">{FOLDED}</span>')
    body = body.replace(f"<details>{WHY}", f"<details open>{WHY}")  # these explain; what stays folded is an answer
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title(stored.cells) or notebook.stem)}</title>\n<style>\n{style()}</style>\n</head>\n"
        f"<body>\n<main>\n{body}\n</main>\n</body>\n</html>\n"
    )


@cache
def _exporter() -> Any:
    """The basic template is the cells alone: no script, no style and no font that would have to be fetched."""
    from nbconvert import HTMLExporter

    return HTMLExporter(template_name="basic", embed_images=True)


def _link(found: re.Match[str]) -> str:
    file, mark, anchor = found[1].partition("#")
    lesson = "/" not in file and file.endswith(".ipynb")
    return f'<a href="{file.removesuffix(".ipynb")}.html{mark}{anchor}">{found[2]}</a>' if lesson else found[2]


def title(cells: Sequence[dict]) -> str:
    """The first heading of the notebook.

    >>> title([{"cell_type": "markdown", "source": "# First in, first out"}])
    'First in, first out'
    """
    text = "\n".join(cell["source"] for cell in cells if cell["cell_type"] == "markdown")
    found = re.search(r"^# +(.+)$", text, re.MULTILINE)
    return found[1].strip() if found else ""


def sheet() -> str:
    """What stands in place of a lab: an empty run, to fill in by pencil."""
    heads = "".join(f'<th scope="col">{name}</th>' for name in ("", *COLUMNS))
    cells = "<td></td>" * len(COLUMNS)
    rows = "".join(f'<tr><th scope="row">{number}</th>{cells}</tr>' for number in range(1, ROWS + 1))
    return (
        "<p>On the computer you press buttons here. On paper: one of you chooses an operation, the other one answers "
        "as the queue must, and you write both down.</p>"
        f'<table class="sheet"><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>'
    )


def style() -> str:
    """The handouts' own style, and the colours of code."""
    from pygments.formatters import HtmlFormatter

    colours = HtmlFormatter(style="default").get_style_defs(".highlight")
    return (files("retryq") / "data" / "handout.css").read_text(encoding="utf-8") + colours + "\n"


def print_to_pdf(handout: Path, browser: str) -> Path:
    """Print an HTML file beside itself, by a browser of the Chromium family. ``OSError`` where that fails."""
    target = handout.with_suffix(".pdf")
    target.unlink(missing_ok=True)  # so that an old one is never taken for a new one
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        command = [
            browser, "--headless", "--disable-gpu", "--no-first-run", "--disable-background-networking",
            f"--user-data-dir={profile}", "--no-pdf-header-footer",
            "--generate-pdf-document-outline", f"--print-to-pdf={target.resolve()}",
        ]  # fmt: skip
        if hasattr(os, "geteuid") and os.geteuid() == 0:
            command.append("--no-sandbox")  # in a container, say; without it Chromium does not start
        try:
            ran = subprocess.run([*command, handout.resolve().as_uri()], capture_output=True, timeout=LONGEST, check=False)
        except subprocess.TimeoutExpired:
            raise OSError(f"{browser} did not print {handout} within {LONGEST} s") from None
    if ran.returncode or not target.exists():
        said = ran.stderr.decode("utf-8", "replace").strip().splitlines()[-1:] or ["nothing"]
        raise OSError(f"{browser} did not print {handout}; the last that it said is: {said[0]}")
    return target


def main(words: Sequence[str] | None = None) -> int:
    """Make the handouts that are asked for; answers the exit status."""
    parser = argparse.ArgumentParser(prog="python -m retryq.handouts", description="Make handouts of notebooks.")
    parser.add_argument("notebooks", metavar="NOTEBOOK", nargs="*", type=_notebook,
                        help="a file, or the name of a lesson such as 05-fencing; none: every one in notebooks/")
    parser.add_argument("-o", "--output", metavar="FOLDER", type=Path, default=Path("handouts"), help="(handouts)")
    parser.add_argument("--slides", action="store_true", help="make pages for a projector: one step at a time")
    parser.add_argument("--browser", metavar="PROGRAM", help="prints the PDFs: a Chromium, Chrome or Edge")
    options = parser.parse_args(words)
    notebooks = options.notebooks or sorted(Path("notebooks").glob("*.ipynb"))
    if not notebooks:
        print("There is no notebook in notebooks/: name some, or start in the folder of the clone.", file=sys.stderr)
        return 2
    try:
        options.output.mkdir(parents=True, exist_ok=True)
        for notebook in notebooks:
            handout = options.output / f"{notebook.stem}{'-slides' if options.slides else ''}.html"
            handout.write_text(slides(page(notebook)) if options.slides else page(notebook), encoding="utf-8")
            printed = print_to_pdf(handout, options.browser) if options.browser and not options.slides else ""
            print(handout, printed, flush=True)
    except (OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 2
    if not options.browser and not options.slides:
        print("No PDFs: for these, a Chromium, Chrome or Edge is needed. Any browser can print the HTML as well.")
    return 0


def _notebook(word: str) -> Path:
    return Path(word) if word.endswith(".ipynb") else Path("notebooks", f"{word}.ipynb")


if __name__ == "__main__":
    sys.exit(main())
