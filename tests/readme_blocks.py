"""README.md taken apart: its fenced blocks, and its links."""
from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
TEXT = (ROOT / "README.md").read_text("utf-8")


class Block(NamedTuple):
    """One fenced block: its language, its text and its line."""

    language: str
    text: str
    line: int


def blocks(text: str = TEXT) -> list[Block]:
    """Every fenced block, in order."""
    found = re.finditer(r"^```(\w+)\n((?:.*\n)*?)```$", text, re.MULTILINE)
    return [Block(m[1], m[2], text.count("\n", 0, m.start()) + 1) for m in found]


def commands(language: str) -> list[list[str]]:
    """The lines of the blocks of a language, split into words: one list for each block."""
    return [block.text.splitlines() for block in blocks() if block.language == language]


def console() -> list[tuple[str, str]]:
    """Each command that stands behind a $ in a console block, and the output shown under it ("" for none)."""
    texts = [block.text for block in blocks() if block.language == "console"]
    parts = [part for text in texts for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]]
    return [(command, shown) for command, _, shown in (part.partition("\n") for part in parts)]


def links(text: str = TEXT) -> list[str]:
    """The target of every link and picture in Markdown."""
    return re.findall(r"\]\(([^)\s]+)\)", text)
