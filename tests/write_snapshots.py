"""The text twin of every witness, as files that a person can read and agree with: one for each lesson.

    python tests/write_snapshots.py

writes them anew. Only do so when a change was meant, and read the difference before it is committed.
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "tests" / "snapshots"


def snapshots() -> dict[str, str]:
    """Each lesson's file name and text: its clauses, and under each the runs that show it."""
    from retryq import history
    from retryq.geometry import text
    from retryq.rules import CLAUSES, LESSONS

    files = {}
    for lesson in LESSONS:
        parts = []
        for clause in CLAUSES.values():
            if clause.lesson == lesson:
                parts.append(f"{clause.name}: {clause.sentence}\n{'=' * 100}")
                parts += [
                    f"{text(history.run(witness), title=witness.name)}\n{'-' * 100}"
                    for witness in clause.witnesses
                ]
        files[f"{lesson}.txt"] = "\n\n".join(parts) + "\n"
    return files


def main() -> None:
    sys.path.insert(0, str(ROOT))
    files = snapshots()
    for old in FOLDER.glob("*.txt"):
        if old.name not in files:
            old.unlink()
    FOLDER.mkdir(exist_ok=True)
    for name, text in files.items():
        (FOLDER / name).write_text(text, encoding="utf-8", newline="\n")
    print(f"{len(files)} snapshots written")


if __name__ == "__main__":
    main()
