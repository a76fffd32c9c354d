"""Predict as its user meets it: an option is chosen, committed to, and what is shown is read."""

from __future__ import annotations

import re
from html import unescape

import ipywidgets
import pytest

from retryq import data, zoo
from retryq.history import run
from retryq.predict import Predict
from retryq.scenario import Scenario, ScenarioError, notation, same

HOSTILE = ("$x$", r"\frac", "<script>", "&amp;", "%s", "__", "'", '"', "</p>", "`")
FENCES = data.examples()[1]
EVERY_RUN = (*data.examples(), *data.field_reports())


def widgets(box: ipywidgets.Widget) -> list[ipywidgets.Widget]:
    """Everything that can be seen, in the order of the Tab key."""
    if getattr(box, "layout", None) is not None and box.layout.display == "none":
        return []
    return [box, *(inner for child in getattr(box, "children", ()) for inner in widgets(child))]


def names(predict: Predict) -> list[str]:
    return [each.description for each in widgets(predict) if isinstance(each, ipywidgets.Button) and not each.disabled]


def press(predict: Predict, name: str) -> None:
    [button] = [each for each in widgets(predict) if isinstance(each, ipywidgets.Button) and each.description == name]
    assert not button.disabled
    button.click()


def page(predict: Predict, role: str = "") -> str:
    """The words that can be seen; or only those that a screen reader is told as this role."""
    texts = [each.value for each in widgets(predict) if isinstance(each, ipywidgets.HTML) and f'role="{role}' in each.value
             or isinstance(each, ipywidgets.HTML) and not role]
    return unescape(" ".join(re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", text)).strip() for text in texts))


def test_a_question_is_answered_by_choosing_and_committing():
    predict = Predict(FENCES)
    assert '1. queue.enqueue("a", "A") → True' in page(predict)
    assert "2. queue.reserve() → ? What will it answer?" in page(predict, "status")
    press(predict, "Job(id='a', payload='A', attempt=1)")
    assert "Job(id='a', payload='A', attempt=1) (chosen)" in names(predict)
    press(predict, "commit")
    assert "✓ Right: it answers Job(id='a', payload='A', attempt=1) ." in page(predict, "status")
    assert "fifo.head reserve takes the job that has waited longest" in page(predict, "status")
    assert names(predict) == ["next"], "an answer that is committed to cannot be changed"
    press(predict, "next")
    assert "4. queue.reserve() → ?" in page(predict, "status")
    assert '3. queue.retry("a", 1) → True' in page(predict)


def test_a_page_that_drops_the_style_numbers_the_operations_once():
    handout = Predict(FENCES)._repr_mimebundle_()["text/html"].partition("</style>")[2]
    numbered = re.findall(r"<ol>(.*)</ol>", handout)
    assert len(numbered) == 1 and numbered[0].count("<li><") == len(FENCES.ops)
