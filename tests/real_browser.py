"""The browser that some tests need. Without it they are skipped with a sentence, but never in CI."""

from __future__ import annotations

import os

import pytest

import start


def path() -> str:
    """Where this machine has a browser."""
    return start.chromium() or do_without(start.NO_BROWSER)


def do_without(sentence: str) -> str:
    """Skip with a sentence; in CI, fail with it."""
    if os.environ.get("CI", "").lower() in ("", "0", "false"):
        pytest.skip(sentence)
    pytest.fail(sentence, pytrace=False)
