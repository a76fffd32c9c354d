"""A check's report as a piece of a page: readable in light and in dark, and by a screen reader."""

from __future__ import annotations

from html import escape

from retryq.checking.findings import Findings
from retryq.checking.text import HEADINGS, closing, proof, rows, twin
from retryq.checking.words import verdict, where

__all__ = ["html"]

# A block of its own, and no smaller when there is little to say: the page does not jump when the cell is run again.
BLOCK = "max-width:60em;min-height:7.2em;box-sizing:border-box;border-left:4px solid #808080;padding:0 0 0 10px"
# The colours are the page's own, so that both themes can be read; what matters is said in words and weight.
CELL = ("text-align:left;padding:0.2em 0.5em;border-bottom:1px solid currentColor;"
        "white-space:pre-wrap;overflow-wrap:anywhere")
TABLE = "border-collapse:collapse;color:inherit;background:transparent;margin:0.5em 0"
MONO = "font-family:monospace;background:transparent;color:inherit"


def html(report: Findings) -> str:
    """The sentence, the counterexample as a table with its text twin, what was tried, and how to go on."""
    parts = [
        f'<div role="group" aria-label="Report on {_(report.name)}" style="{BLOCK}">',
        f"<p><strong>{_prose(verdict(report))}</strong></p>",
    ]
    place = where(report)
    parts += [f"<p>{_prose(place)}</p>"] if place else []
    if report.counterexample is not None:
        parts += [
            _table(report),
            _twin(report),
            "<p>To play it through, step by step: <code>Lab(report)</code>.</p>",
            "<p>To keep it as a test: <code>print(report.as_test())</code>.</p>",
        ]
    parts += [f"<p>{_prose(line)}</p>" for line in closing(report)]
    return "\n".join([*parts, "</div>"])


def _(words: str) -> str:
    return escape(words, quote=True)


def _prose(words: str) -> str:
    """Words in which code stands between backticks."""
    parts = map(_, words.split("`"))
    return "".join(f"<code>{part}</code>" if index % 2 else part for index, part in enumerate(parts))


def _table(report: Findings) -> str:
    heads = "".join(f'<th scope="col" style="{CELL}">{_(head)}</th>' for head in ("", *HEADINGS))
    lines = [
        f'<table style="{TABLE}">',
        f'<caption style="text-align:left;color:inherit">{_(proof(report))}</caption>',
        f"<thead><tr>{heads}</tr></thead>",
        "<tbody>",
    ]
    for number, row in enumerate(rows(report)):
        parts = number == report.index
        cells = [f'<th scope="row" style="{CELL}">{number + 1}</th>']
        for column, cell in enumerate(row):
            words = _(cell)
            if parts and column == 2:
                words = f"<strong>{words} &#9664; here they part</strong>"
            cells.append(f'<td style="{CELL};{MONO}">{words}</td>')
        lines.append(f"<tr>{''.join(cells)}</tr>")
    return "\n".join([*lines, "</tbody>", "</table>"])


def _twin(report: Findings) -> str:
    return (
        f"<details><summary>The same as a timeline in text</summary>\n"
        f'<pre style="{MONO};overflow-x:auto">{_(twin(report))}</pre></details>'
    )
