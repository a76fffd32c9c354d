"""What a lesson must hold: its sections in order, its clauses by name, and links that lead somewhere.

The rules take a ``notebook_rules.Notebook`` and answer (cell number, or 0 for the file, and what is wrong).
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

import nbformat

from retryq import rules

if TYPE_CHECKING:
    from notebook_rules import Notebook

ROOT = Path(__file__).resolve().parent.parent
NOTEBOOKS = (
    "00-start-here", *rules.LESSONS, "09-cost", "10-build-your-own", "11-break-it", "12-whole-machine",
)  # fmt: skip
SECTIONS = ("Predict", "Run", "See", "Try", "Break", "In the field", "Recap")
LESSON = re.compile(r"0[1-9]-")
CLAUSE = re.compile(rf"`((?:{'|'.join(sorted({name.split('.')[0] for name in rules.CLAUSES}))})\.[\w*-]+)`")
LINK = re.compile(r"\[(?P<label>[^\]\n]*)\]\((?P<target>[^)\s]+)(?:\s+\"[^\"]*\")?\)")
HTML_LINK = re.compile(r"\b(?:href|src)=[\"']([^\"']+)[\"']")
ADDRESS = re.compile(r"https?://[^\s)\"'>`]+")


def without_code(markdown: str) -> str:
    """The markdown without fenced blocks, in which nothing is a heading or a link."""
    return re.sub(r"^```.*?^```$", "", markdown, flags=re.MULTILINE | re.DOTALL)


def headings(markdown: str) -> list[tuple[int, str]]:
    """(level, text) of each heading."""
    found = re.findall(r"^(#{1,6}) +(.+?)\s*$", without_code(markdown), flags=re.MULTILINE)
    return [(len(marks), text) for marks, text in found]


def sections(notebook: Notebook) -> Iterator[tuple[int, str]]:
    if notebook.is_solution or not LESSON.match(notebook.path.name):
        return
    second = [text for cell in notebook.text for level, text in headings(cell.source) if level == 2]
    opened = [name for text in second for name in SECTIONS if re.match(rf"{name}\b", text)]
    if opened != list(SECTIONS):
        yield 0, f"has the sections {', '.join(opened) or 'none'}; in order they are {', '.join(SECTIONS)}"


def clauses(notebook: Notebook) -> Iterator[tuple[int, str]]:
    named: set[str] = set()
    for cell in notebook.text:
        found = set(CLAUSE.findall(cell.source))
        named |= found
        for name in sorted(found):
            if name not in rules.CLAUSES and not (name.endswith(".*") and rules.expand(name)):
                yield cell.number, f"names the clause {name}, which the rules do not have"
    if notebook.is_solution:
        return
    for clause in rules.CLAUSES.values():
        if clause.lesson == notebook.path.stem and clause.name not in named:
            yield 0, f"teaches the clause {clause.name} and does not name it (in backticks, in a text cell)"


def links(notebook: Notebook) -> Iterator[tuple[int, str]]:
    """Relative links and anchors lead to a file and to a heading that are there."""
    for cell in notebook.text:
        yield from ((cell.number, say) for say in dead_links(cell.source, notebook.path))


def dead_links(markdown: str, page: Path) -> Iterator[str]:
    """What is wrong with the relative links in the text of a page."""
    text = without_code(markdown)
    for target in [match["target"] for match in LINK.finditer(text)] + HTML_LINK.findall(text):
        if re.match(r"[a-z]+:", target):
            continue
        where, _, anchor = target.partition("#")
        file = (page.parent / unquote(where)).resolve() if where else page
        if not file.exists():
            yield f"links to {target}, which is not there"
        elif anchor and unquote(anchor) not in anchors(file):
            yield f"links to {target}, and no heading there makes that anchor"


def anchors(file: Path) -> set[str]:
    """What can stand after # in a link to this notebook or page. JupyterLab: the heading, with - for a space."""
    text = file.read_text(encoding="utf-8")
    if file.suffix == ".ipynb":
        cells = nbformat.v4.reads(text).cells
        text = "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    plain = [re.sub(r"[`*_]", "", heading) for _, heading in headings(text)]
    if file.suffix == ".ipynb":
        return {heading.replace(" ", "-") for heading in plain}
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in plain}


def neighbours(notebook: Notebook) -> Iterator[tuple[int, str]]:
    """The last text cell leads to the notebook before and the one after, in the order of their names."""
    if notebook.is_solution or not notebook.text:
        return
    order = sorted(path.name for path in notebook.path.parent.glob("*.ipynb"))
    at = order.index(notebook.path.name)
    wanted = {"Previous": order[at - 1] if at else None, "Next": order[at + 1] if at + 1 < len(order) else None}
    last = notebook.text[-1]
    for word, file in wanted.items():
        found = [match["target"] for match in LINK.finditer(last.source) if re.match(rf"{word}\b", match["label"])]
        if found != ([file] if file else []):
            yield last.number, f"must link [{word}: ...]({file}), and has {', '.join(found) or 'no such link'}" if file else (
                f"links [{word}: ...]({found[0]}), and there is no such notebook in this order"
            )


def addresses(notebook: Notebook) -> Iterator[tuple[int, str]]:
    """A link to the project uses the address that stands once, in pyproject.toml."""
    for cell in notebook.cells:
        for address in ADDRESS.findall(cell.source):
            ours = any(re.match(re.escape(url) + r"(?:$|[/#?.,;:])", address) for url in project_addresses())
            if "retryq" in address.lower() and not ours:
                yield cell.number, f"links to {address}; the project is at {project_addresses()[0]}"


def project_addresses() -> list[str]:
    """The project's own addresses, and where Binder opens its repository."""
    table = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    urls = [url.rstrip("/") for url in table["project"]["urls"].values()]
    return urls + [re.sub(r"^https://github\.com/", "https://mybinder.org/v2/gh/", url) for url in urls]


RULES: tuple[Callable[[Notebook], Iterator[tuple[int, str]]], ...] = (
    sections, clauses, links, neighbours, addresses,
)  # fmt: skip
