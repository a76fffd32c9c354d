"""In the root, so that every run of pytest meets it, whatever part of the project it is asked for."""

import gc
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
    """Of the workers that share a run (``-n``), one takes all browser tests: they share a server and a browser."""
    from xdist.scheduler import LoadFileScheduling

    class OneBrowser(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return "tests/browser" if nodeid.startswith("tests/browser/") else super()._split_scope(nodeid)

    return OneBrowser(config, log)
