"""In the root, so that every run of pytest meets it, whatever part of the project it is asked for."""

import gc
import re
from typing import Any

import pytest

pytest_plugins = ["nbval_guard"]  # in tests/: the notebooks are compared in full, or the run is red


def pytest_collection_finish() -> None:
    """What is there before the first test stays to the end: the garbage collector need not look at it again, which it
    would do thousands of times, and of matplotlib and the tests themselves there is much."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: Any, log: Any) -> Any:
    """Workers that share a run (``-n``) share it by files, and the browser tests by notebooks: each is opened once."""
    from xdist.scheduler import LoadFileScheduling

    class ByNotebook(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            if not nodeid.startswith("tests/browser/"):
                return super()._split_scope(nodeid)
            which = re.search(r"\[(.+?)(-laptop|-projector|-200-percent)?]$", nodeid)
            return which[1] if which else nodeid

    return ByNotebook(config, log)
