"""A plugin that holds every run of pytest to comparing the notebooks, all of them and all that is in them.

nbval runs the notebooks (pyproject.toml says how). It says "passed" where a notebook was not collected, and where it
does not look; what it passes over is looked at here, in the same run of the same kernel. What a file shows without
being run is checked by tests/test_notebooks.py.
"""

from __future__ import annotations

import copy
import os
from collections.abc import Generator, Iterator
from pathlib import Path

import notebook_outputs
import pytest
from execute_notebooks import notebook_files
from nbval.plugin import IPyNbCell, IPyNbFile

LONGEST_TIMEOUT = 300  # seconds that a hung cell may cost
OUTPUTS = ("stream", "display_data", "execute_result", "error")
REPLACES = {"clear_output": "clears its output", "update_display_data": "updates an output that was already shown"}


def pytest_configure(config: pytest.Config) -> None:
    option = config.option
    if option.nbval_sanitize_with is None:
        option.nbval_sanitize_with = str(notebook_outputs.SANITIZE)
    if found := list(weak_options(option)):
        raise pytest.UsageError("the notebooks would not be compared as they must be: " + "; ".join(found))
    # A kernel starts in the notebook's folder: it must meet this tree, not an installed copy of another.
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(config.rootpath), os.environ.get("PYTHONPATH")]))


def weak_options(option: object) -> Iterator[str]:
    """Options with which nbval passes what it should not, a few words each."""
    if option.nbval_lax:
        yield "--nbval-lax compares nothing"
    if option.nbval and not option.nbval_current_env:
        yield "without --nbval-current-env another Python may be tested"
    if option.nbval and option.nbval_cell_timeout > LONGEST_TIMEOUT:
        yield f"--nbval-cell-timeout must be at most {LONGEST_TIMEOUT}, or a hung cell holds everything up"
    if Path(option.nbval_sanitize_with).resolve() != notebook_outputs.SANITIZE:
        yield f"--nbval-sanitize-with must be tests/{notebook_outputs.SANITIZE.name}"
    if getattr(option, "dist", "no") not in ("no", "loadfile", "loadscope"):
        yield "--dist must be loadfile or loadscope, so that the cells of a notebook stay together"


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> Generator[None, None, None]:
    if not config.getoption("lf", False):  # that asks for what failed last time, and nothing else
        all_notebooks_are_there(config, items)
    yield
    keep_cells_together(items)


def all_notebooks_are_there(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Red when a notebook that belongs to this run was not collected, whatever the reason."""
    places = [(config.invocation_params.dir / argument.split("::")[0]).resolve() for argument in config.args]
    collected = {item.parent.path for item in items if isinstance(item, IPyNbCell)}
    for path in notebook_files(config.rootpath / "notebooks"):
        if path not in collected and any(path.is_relative_to(place) for place in places):
            raise pytest.UsageError(
                f"{path.name} was not collected, so that nothing would be tested in it: pytest needs --nbval, "
                "and a notebook needs a code cell (pytest tests runs the other tests alone)"
            )


def keep_cells_together(items: list[pytest.Item]) -> None:
    """A cell needs the cells before it: -k, --lf or a cell's own id choose the whole notebook."""
    for notebook in dict.fromkeys(item.parent for item in items if isinstance(item, IPyNbCell)):
        cells = list(notebook.collect())
        chosen = [number for number, item in enumerate(items) if item.parent is notebook]
        if len(chosen) < len(cells):
            first = chosen[0]
            items[:] = items[:first] + cells + [item for item in items[first:] if item.parent is not notebook]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, None, None]:
    """After nbval's own comparison of a cell: everything that nbval leaves out."""
    if not isinstance(item, IPyNbCell):
        yield
        return
    stored = copy.deepcopy(item.cell.outputs)  # nbval edits what it compares
    notebook, messages = item.parent, []
    plain = IPyNbFile.get_kernel_message

    def recorded(**options: object) -> dict:
        messages.append(plain(notebook, **options))
        return messages[-1]

    notebook.get_kernel_message = recorded
    try:
        yield
    finally:
        del notebook.get_kernel_message
    if found := list(unseen(stored, messages, compared=item.options["check"])):
        item.raise_cell_error("; ".join(found))


def unseen(stored: list[dict], messages: list[dict], compared: bool) -> Iterator[str]:
    """What is wrong with one run of a cell although nbval may have passed it."""
    here = messages[-1]["parent_header"].get("msg_id")  # the last message says that this cell is done
    fresh = []
    for message in messages:
        kind, content = message["msg_type"], message["content"]
        if message["parent_header"].get("msg_id") != here:
            if kind in OUTPUTS:
                yield "an earlier cell gave an output after its end, which nobody compared"
        elif kind in REPLACES:
            yield f"the cell {REPLACES[kind]}: what was there before is not compared"
        elif kind in OUTPUTS:
            fresh.append({"output_type": kind, **content})
    if found := notebook_outputs.difference(stored, fresh, compared):
        yield found
