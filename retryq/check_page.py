"""A check's report as a piece of a page: readable in light and in dark, and by a screen reader."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from retryq import check_text, check_words

if TYPE_CHECKING:
    from retryq.check_report import Report

__all__ = ["html"]

# The colours are the page's own, so that both themes can be read; what matters is said in words and weight.
CELL = "text-align:left;padding:0.2em 0.8em;border-bottom:1px solid currentColor;white-space:pre-wrap"
TABLE = "border-collapse:collapse;color:inherit;background:transparent;margin:0.5em 0"
MONO = "font-family:monospace;background:transparent;color:inherit"


def html(report: Report) -> str:
    """The sentence, the counterexample as a table with its text twin, what was tried, and how to go on."""
    parts = [
        f'<div role="group" aria-label="Report on {_(report.name)}" style="max-width:60em">',
        f"<p><strong>{_(check_words.verdict(report))}</strong></p>",
    ]
    where = check_words.where(report)
    parts += [f"<p>{_(where)}</p>"] if where else []
    if report.counterexample is not None:
        parts += [
            _table(report),
            _twin(report),
            "<p>To play it through, step by step: <code>Lab(report)</code>.</p>",
            "<p>To keep it as a test: <code>print(report.as_test())</code>.</p>",
        ]
    parts += [f"<p>{_(line)}</p>" for line in check_text.closing(report)]
    return "\n".join([*parts, "</div>"])


def _(words: str) -> str:
    return escape(words, quote=True)


def _table(report: Report) -> str:
    heads = "".join(f'<th scope="col" style="{CELL}">{_(head)}</th>' for head in ("", *check_text.HEADINGS))
    lines = [
        f'<table style="{TABLE}">',
        f'<caption style="text-align:left;color:inherit">{_(check_text.proof(report))}</caption>',
        f"<thead><tr>{heads}</tr></thead>",
        "<tbody>",
    ]
    for number, row in enumerate(check_text.rows(report)):
        parts = number == report.index
        cells = [f'<th scope="row" style="{CELL}">{number + 1}</th>']
        for column, cell in enumerate(row):
            words = _(cell)
            if parts and column == 2:
                words = f"<strong>{words} &#9664; here they part</strong>"
            cells.append(f'<td style="{CELL};{MONO}">{words}</td>')
        lines.append(f"<tr>{''.join(cells)}</tr>")
    return "\n".join([*lines, "</tbody>", "</table>"])


def _twin(report: Report) -> str:
    return (
        f"<details><summary>The same as a timeline in text</summary>\n"
        f'<pre style="{MONO};overflow-x:auto">{_(check_text.twin(report))}</pre></details>'
    )
