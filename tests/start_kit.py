"""A small copy of the kit, for the tests of start.py."""
from __future__ import annotations

import shutil
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LESSONS = ("00-start-here.ipynb", "01-one.ipynb", "images/line.png", "solutions/10-mend.ipynb")


def make(root: Path) -> Path:
    """Lay start.py and what it needs into a folder, with notebooks that are mere text."""
    for name in ("start.py", "pyproject.toml", ".gitignore", ".gitattributes", "binder/overrides.json"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, root / name)
    for name in LESSONS:
        write(root / "notebooks" / name, f"first {name}")
    return root


def write(path: Path, text: str) -> None:
    """Write a text file, its folders included."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
