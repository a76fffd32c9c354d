"""In the root, so that every run of pytest meets it, whatever part of the project it is asked for."""

import gc

pytest_plugins = ["nbval_guard"]  # in tests/: the notebooks are compared in full, or the run is red


def pytest_collection_finish() -> None:
    """What is there before the first test stays to the end: the garbage collector need not look at it again, which it
    would do thousands of times, and of matplotlib and the tests themselves there is much."""
    gc.collect()
    gc.freeze()
