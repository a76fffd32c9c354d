"""What a class hands in: a folder of files, and in a notebook the cells that make up one class.

Nothing here runs what was handed in.
"""

from __future__ import annotations

import ast
import json
import os
import re
import symtable
from collections.abc import Iterable, Iterator
from pathlib import Path

__all__ = ["ENDINGS", "definition", "expand"]

ENDINGS = (".py", ".ipynb")


def expand(targets: Iterable[str]) -> list[str]:
    """The targets, with a target for each file in place of one for a folder.

    ``FOLDER:CLASS`` means every ``.py`` and ``.ipynb`` in the folder and in those below it, by name; hidden ones
    are left out. Other targets stay as they are: a folder that is a package, too, and one with nothing in it.

    >>> expand(["retryq.queue:Queue"])
    ['retryq.queue:Queue']
    """
    found: list[str] = []
    for target in targets:
        place, _, name = target.rpartition(":")
        package = os.path.exists(os.path.join(place, "__init__.py"))
        inside = [] if package or not place or not os.path.isdir(place) else _files(Path(place))
        found += [f"{file}:{name}" for file in inside] or [target]
    return found


def _files(folder: Path) -> Iterator[Path]:
    for file in sorted(folder.rglob("*")):
        parts = file.relative_to(folder).parts
        hidden = any(part.startswith(".") or part == "__pycache__" for part in parts)
        if file.suffix in ENDINGS and file.is_file() and not hidden:
            yield file


def definition(text: str, name: str) -> str:
    """The source of a class out of the text of a notebook: every statement that makes it, or what it uses.

    So a notebook is judged by its class, whatever else its cells would show, play or check. ``class Q(Q)`` in a later
    cell goes on with the one before, as it does in the notebook. Raises ``ValueError`` where the text is no notebook,
    ``SyntaxError`` where a cell that holds this class cannot be read, and ``NameError`` where no cell makes it.

    >>> cells = ["import random", "EMPTY = None", "class Q:\\n    def reserve(self): return EMPTY", "Q(1).reserve()"]
    >>> notebook = {"cells": [{"cell_type": "code", "source": cell} for cell in cells]}
    >>> print(definition(json.dumps(notebook), "Q"))
    EMPTY = None
    class Q:
    <BLANKLINE>
        def reserve(self):
            return EMPTY
    """
    statements = [statement for cell in _code(text) for statement in _statements(cell, name)]
    makes = [_made(statement) for statement in statements]
    uses = [_used(statement) for statement in statements]
    wanted, before = {name}, 0
    while len(wanted) > before:
        before = len(wanted)
        for made, used in zip(makes, uses, strict=True):
            if made & wanted:
                wanted |= used
    if not any(name in made for made in makes):
        raise NameError(f"no cell makes {name}")
    chosen = [each for each, made in zip(statements, makes, strict=True) if made & wanted or "*" in made]
    return "\n".join(map(ast.unparse, chosen))


def _code(text: str) -> list[str]:
    try:
        cells = json.loads(text)["cells"]
        return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    except (ValueError, LookupError, TypeError) as error:
        raise ValueError(f"it is no notebook: {error}") from error


def _statements(cell: str, name: str) -> list[ast.stmt]:
    """A cell's statements, its %magic and !shell lines left out. A cell that cannot be read has none: in the
    notebook too, it did nothing."""
    lines = [re.sub(r"^(\s*)[%!].*", r"\1pass", line) for line in cell.splitlines()]
    try:
        return ast.parse("\n".join(lines)).body
    except SyntaxError:
        if re.search(rf"^class {re.escape(name)}\b", cell, re.MULTILINE):
            raise
        return []


def _made(statement: ast.stmt) -> set[str]:
    """The names that a statement makes, or whose attributes or items it sets: "*" for a star import."""
    if isinstance(statement, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
        return {statement.name}
    made: set[str] = set()
    for node in ast.walk(statement):
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            made.add(node.name)
        elif isinstance(node, ast.alias):
            made.add((node.asname or node.name).partition(".")[0])
        elif isinstance(node, (ast.Name, ast.Attribute, ast.Subscript)) and isinstance(node.ctx, ast.Store):
            owner: ast.expr = node
            while isinstance(owner, (ast.Attribute, ast.Subscript)):
                owner = owner.value
            made |= {owner.id} if isinstance(owner, ast.Name) else set()
    return made


def _used(statement: ast.stmt) -> set[str]:
    """The names of the notebook that a statement reads, now or when its functions are called."""
    tables = [symtable.symtable(ast.unparse(statement), "cell", "exec")]
    used = {symbol.get_name() for symbol in tables[0].get_symbols() if symbol.is_referenced()}
    for table in tables:  # grows as it is read
        tables += table.get_children()
        used |= {symbol.get_name() for symbol in table.get_symbols() if symbol.is_global()}
    return used
