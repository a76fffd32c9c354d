"""What a notebook file must be, checked without running it: ``faults(path)`` answers a sentence for each fault, such
as ``03-capacity.ipynb cell 4: has 15 lines, the most is 14``. Cells are counted from 1, text cells included.

Most of these close a way in which nbval says "passed" and has compared nothing; the others are the house rules of
how a notebook reads. What can be seen only by running a notebook is in conftest.py.
"""

from __future__ import annotations

import ast
import io
import json
import re
import tokenize
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import execute_notebooks
import nbformat
import notebook_lessons
from notebook_outputs import stored_faults

LONGEST_CODE, USUAL_CODE = 14, 5  # lines in any code cell, in most of them
USUAL_TEXT = range(15, 51)  # words in most text cells
IN_A_ROW = 3  # cells of one kind

IMPORTS = {"collections", "dataclasses", "json", "retryq", "typing"}
TAGS = {"nbval-ignore-output", "raises-exception", "your-own-queue"}
# What nbval does not see, what it cannot run, and what leaves the notebook.
NAMES = {
    "In", "Out", "_", "__", "___", "__import__", "compile", "eval", "exec", "exit", "get_ipython", "input", "open", "quit",
}  # fmt: skip
WIDGETRY = {
    "Output", "clear_output", "display_id", "interact", "interact_manual", "interactive", "interactive_output",
    "update_display",
}  # fmt: skip
MARKER = re.compile(r"NBVAL|PYTEST_VALIDATE", re.IGNORECASE)
REASON = re.compile(r"^\s*# Not compared: \w+(?:[^\w\n]+\w+){2,}", re.MULTILINE)
OWN_QUEUE = re.compile(r"1[01]-")  # in these notebooks, and in solutions, a queue is the learner's own


@dataclass(frozen=True)
class Cell:
    number: int
    kind: str  # "code" or "markdown"
    source: str
    tags: frozenset[str]
    count: int | None  # its execution count
    outputs: list[dict]

    @property
    def tree(self) -> ast.Module | None:
        try:
            return ast.parse(self.source)
        except (SyntaxError, ValueError):
            return None


@dataclass(frozen=True)
class Notebook:
    path: Path
    raw: bytes
    node: nbformat.NotebookNode
    cells: tuple[Cell, ...]

    @property
    def code(self) -> list[Cell]:
        return [cell for cell in self.cells if cell.kind == "code"]

    @property
    def text(self) -> list[Cell]:
        return [cell for cell in self.cells if cell.kind == "markdown"]

    @property
    def is_solution(self) -> bool:
        return self.path.parent.name == "solutions"


def load(path: Path) -> Notebook:
    """The notebook, or a ValueError that says why the file is none."""
    raw = path.read_bytes()
    try:
        node = nbformat.v4.reads(raw.decode("utf-8"))
        nbformat.validate(execute_notebooks.tidy(node, path.stem))  # a copy: it mends what it is given
    except (ValueError, KeyError, TypeError, AttributeError, nbformat.ValidationError) as error:
        raise ValueError(f"is no notebook of format 4: {str(error).splitlines()[0]}") from error
    cells = tuple(
        Cell(number, cell.cell_type, cell.source, frozenset(cell.metadata.get("tags", ())),
             cell.get("execution_count"), cell.get("outputs", []))
        for number, cell in enumerate(node.cells, start=1)
    )  # fmt: skip
    return Notebook(path, raw, node, cells)


def faults(path: Path) -> list[str]:
    """Every fault of the notebook at ``path``, a sentence each, in the order of its cells."""
    try:
        notebook = load(path)
    except ValueError as error:
        return [f"{path.name}: {error}"]
    found: list[tuple[int, str]] = []
    for rule in (*FILE_RULES, *notebook_lessons.RULES):
        found += rule(notebook)
    for cell in notebook.code:
        found += [(cell.number, sentence) for rule in CODE_RULES for sentence in rule(cell, notebook)]
    return [f"{path.name} cell {number}: {say}" if number else f"{path.name}: {say}" for number, say in sorted(found)]


# --- the file as a whole: (cell number, or 0 for the file, and what is wrong) --------------------------------------


def name(notebook: Notebook) -> Iterator[tuple[int, str]]:
    if not re.fullmatch(r"\d\d-[a-z0-9]+(?:-[a-z0-9]+)*", notebook.path.stem):
        yield 0, "is not named NN-topic.ipynb"


def house_form(notebook: Notebook) -> Iterator[tuple[int, str]]:
    metadata = notebook.node.metadata
    if metadata.get("kernelspec", {}).get("name") != "python3":
        yield 0, "has no kernelspec called python3"
    if metadata.get("language_info", {}).get("name") != "python":
        yield 0, "has no language_info called python: JupyterLab would ask for a kernel"
    if "widgets" in metadata:
        yield 0, "stores the state of widgets (metadata.widgets)"
    tidied = execute_notebooks.text(execute_notebooks.tidy(notebook.node, notebook.path.stem)).encode("utf-8")
    if tidied != notebook.raw:
        pairs = zip(notebook.raw.split(b"\n"), tidied.split(b"\n"), strict=False)
        line = next((number for number, (is_, should) in enumerate(pairs, start=1) if is_ != should), 1)
        yield 0, f"is not in the house form from line {line} on: run python tests/execute_notebooks.py {notebook.path.name}"


def ran_from_the_top(notebook: Notebook) -> Iterator[tuple[int, str]]:
    for expected, cell in enumerate(notebook.code, start=1):
        if cell.count is None:
            yield cell.number, "was never run"
        elif cell.count != expected:
            yield cell.number, f"has execution count {cell.count}, run from the top it is {expected}"


def compares_something(notebook: Notebook) -> Iterator[tuple[int, str]]:
    if not any(cell.outputs and "nbval-ignore-output" not in cell.tags for cell in notebook.code):
        yield 0, "has no output that is compared"


def balance(notebook: Notebook) -> Iterator[tuple[int, str]]:
    """Text and code about one to one: 2:3 to 3:2, and up to twice as much in the map and in worked answers."""
    code, text = len(notebook.code), len(notebook.text)
    most = 2 if notebook.is_solution or notebook.path.name.startswith("00-") else 1.5
    if max(code, text) > most * min(code, text) + 1:  # the title is one cell that has no partner
        yield 0, f"has {text} text cells and {code} code cells: about as many of one as of the other is the rule"
    run = 0
    for before, cell in zip((None, *notebook.cells), notebook.cells, strict=False):
        run = run + 1 if before and before.kind == cell.kind else 1
        if run == IN_A_ROW + 1:
            yield cell.number, f"is the fourth {'text' if cell.kind == 'markdown' else cell.kind} cell in a row"


def opening(notebook: Notebook) -> Iterator[tuple[int, str]]:
    if not notebook.cells or notebook.cells[0].kind != "markdown" or not notebook.cells[0].source.startswith("# "):
        yield 1, "must be text that begins with a title (# ...)"
    for cell in notebook.cells:
        if cell.kind not in ("code", "markdown"):
            yield cell.number, f"is a {cell.kind} cell: only code and text are read and tested"
        if not cell.source.strip():
            yield cell.number, "is empty"


def lengths(notebook: Notebook) -> Iterator[tuple[int, str]]:
    code = [len(cell.source.splitlines()) for cell in notebook.code]
    for cell, lines in zip(notebook.code, code, strict=True):
        if lines > LONGEST_CODE:
            yield cell.number, f"has {lines} lines, the most is {LONGEST_CODE}"
    if sum(lines <= USUAL_CODE for lines in code) * 2 < len(code) and not notebook.is_solution:
        yield 0, f"has more than {USUAL_CODE} lines in most code cells"
    usual = sum(words(cell.source) in USUAL_TEXT for cell in notebook.text)
    if usual * 2 < len(notebook.text) and not notebook.path.name.startswith("00-"):
        yield 0, f"has {usual} text cells of {USUAL_TEXT[0]} to {USUAL_TEXT[-1]} words out of {len(notebook.text)}: most should be"


def words(markdown: str) -> int:
    """How many words a reader reads: headings, fenced code, addresses and HTML tags aside."""
    prose = re.sub(r"^```[\s\S]*?^```|^#+ .*$|<[^>]*>|\]\([^)]*\)", " ", markdown, flags=re.MULTILINE)
    return len(re.findall(r"\w[\w'.-]*", prose))


FILE_RULES: tuple[Callable[[Notebook], Iterator[tuple[int, str]]], ...] = (
    name, house_form, ran_from_the_top, compares_something, balance, opening, lengths,
)  # fmt: skip


# --- one code cell: what is wrong -----------------------------------------------------------------------------------


def plain_python(cell: Cell, notebook: Notebook) -> Iterator[str]:
    if cell.tree is None:
        yield "is not plain Python: what a magic, a ! or a ? does is not compared"
        return
    tokens = [token for token in tokenize.generate_tokens(io.StringIO(cell.source).readline)
              if token.type in (tokenize.NAME, tokenize.OP, tokenize.NUMBER, tokenize.STRING)]  # fmt: skip
    if tokens and tokens[-1].string == ";":
        yield "ends in a semicolon: nbval would see an output that a notebook hides"


def names(cell: Cell, notebook: Notebook) -> Iterator[str]:
    for node in ast.walk(cell.tree or ast.Module([], [])):
        if isinstance(node, ast.Import | ast.ImportFrom):
            modules = [alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module or "."]
            for module in modules:
                if module.split(".")[0] not in IMPORTS:
                    yield f"imports {module}: a notebook imports {', '.join(sorted(IMPORTS))}"
                if module == "retryq.queue":
                    yield "takes Queue from retryq.queue: take it from retryq, where the tests exchange it"
        for word in sorted(_used(node) & WIDGETRY | _read(node) & NAMES):
            yield f"uses {word}, which the tests cannot see or a notebook has no need of"
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and re.search(r"\r|\x08", node.value):
            yield "writes a carriage return or a backspace: nbval compares nothing before it"


def _read(node: ast.AST) -> set[str]:
    return {node.id} if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) else set()


def _used(node: ast.AST) -> set[str]:
    """The name that a node reads, imports, passes an argument as, or looks up in an object."""
    if isinstance(node, ast.Import | ast.ImportFrom):
        return {alias.name for alias in node.names}
    return _read(node) | {getattr(node, "attr", None) or getattr(node, "arg", None) or ""}


def no_helpers(cell: Cell, notebook: Notebook) -> Iterator[str]:
    tree = cell.tree or ast.Module([], [])
    inside = {id(node) for one in ast.walk(tree) if isinstance(one, ast.ClassDef) for node in ast.walk(one)}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) and id(node) not in inside:
            yield "holds a function: helper code lives in the package"
    classes = sum(isinstance(node, ast.ClassDef) for node in tree.body)
    own = notebook.is_solution or OWN_QUEUE.match(notebook.path.name) or "your-own-queue" in cell.tags
    if classes and not own:
        yield "holds a class: only 10, 11, solutions and a cell tagged your-own-queue do"
    if "your-own-queue" in cell.tags and classes != 1:
        yield "is tagged your-own-queue and does not hold one class"


def tags(cell: Cell, notebook: Notebook) -> Iterator[str]:
    for tag in sorted(cell.tags - TAGS):
        yield f"has the tag {tag}: only {', '.join(sorted(TAGS))} mean something here"
    if MARKER.search(cell.source):
        yield "holds a marker of nbval, which is obeyed even inside a string"
    if "nbval-ignore-output" in cell.tags and not REASON.search(cell.source):
        yield "is not compared and does not say why: write a comment, # Not compared: the reason in words"
    if "nbval-ignore-output" not in cell.tags and REASON.search(cell.source):
        yield "says that it is not compared, and is"


def outputs(cell: Cell, notebook: Notebook) -> Iterator[str]:
    errors = sum(output["output_type"] == "error" for output in cell.outputs)
    if errors and "raises-exception" not in cell.tags:
        yield "stores an error and has no tag raises-exception"
    if "raises-exception" in cell.tags and not errors:
        yield "has the tag raises-exception and stores no error"
    if not cell.outputs and _shows(cell.tree):
        yield "shows something when it is run, and no output is stored (an answer of None shows nothing: print it)"
    yield from stored_faults(cell.outputs, compared="nbval-ignore-output" not in cell.tags)
    for shown in cell.outputs:
        if len(json.dumps(shown.get("data", {}).get("text/plain", shown.get("text", "")))) > 20_000:
            yield "stores more than 20,000 characters of text"


def _shows(tree: ast.Module | None) -> bool:
    """True when a cell ends in an expression, or prints or displays outside of any definition."""
    body = tree.body if tree else []
    if body and isinstance(body[-1], ast.Expr):
        return True
    top = [node for statement in body if not isinstance(statement, ast.ClassDef) for node in ast.walk(statement)]
    calls = [node.func.id for node in top if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)]
    return "print" in calls or "display" in calls


CODE_RULES: tuple[Callable[[Cell, Notebook], Iterator[str]], ...] = (plain_python, names, no_helpers, tags, outputs)
