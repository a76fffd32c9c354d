"""Measure everything, print it as tables, and write it as JSON.

    python -m tests.benchmarks [--json FILE] [PART ...]

The parts: queue, memory, check, picture, lab, start, notebooks, suite; all but the suite where none is named. Timings
are of one machine on one day: look at the ratios within a run. The queues beside ours come with the extra
``benchmarks``: python -m pip install -e ".[benchmarks]"
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from tests.benchmarks import check_cost, lab_cost, picture_cost, queue_cost, start_cost

Tables = dict[str, list[dict]]

PARTS: dict[str, Callable[[], Tables]] = {
    "queue": lambda: {"nanoseconds of CPU for one operation": queue_cost.measure()},
    "memory": lambda: {"bytes for one job, beyond its id and payload": queue_cost.memory()},
    "check": lambda: {"check of sound queues": check_cost.sound(), "check of the zoo": [check_cost.broken()]},
    "picture": lambda: {"one timeline": picture_cost.timelines()},
    "lab": lambda: {"one step in the lab": [lab_cost.step_cost(*size) for size in lab_cost.SIZES],
                    "a thousand steps": [lab_cost.growth()]},
    "start": lambda: {"imports": start_cost.imports(), "a kernel's first picture": [start_cost.first_picture()]},
    "notebooks": lambda: {"notebooks, executed": start_cost.notebooks()},
    "suite": lambda: {"the test suite without the browser": [start_cost.suite()]},
}


def table(rows: Iterable[dict]) -> str:
    """Rows with the same keys as an aligned table."""
    rows = list(rows)
    cells = [list(rows[0]), *([_cell(value) for value in row.values()] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*cells)]
    lines = ["  ".join(text.ljust(width) for text, width in zip(line, widths)).rstrip() for line in cells]
    return "\n".join(lines)


def _cell(value: object) -> str:
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:,.2f}" if abs(value) < 100 else f"{value:,.0f}"
    return f"{value:,}" if isinstance(value, int) else " to ".join(map(_cell, value)) if isinstance(value, tuple) else str(value)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__.partition("\n")[0])
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"one of {', '.join(PARTS)}")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all numbers there as well")
    asked = parser.parse_args()
    for part in asked.parts:
        if part not in PARTS:
            parser.error(f"there is no part {part!r}; the parts are {', '.join(PARTS)}")
    found: Tables = {}
    for part in asked.parts or [part for part in PARTS if part != "suite"]:
        for title, rows in PARTS[part]().items():
            found[title] = rows
            print(f"{title}\n{table(rows)}\n", flush=True)
    if asked.json:
        asked.json.write_text(json.dumps({"python": sys.version.split()[0], **found}, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
