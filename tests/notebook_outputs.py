"""What stored outputs must be, and whether the outputs of a new run are the same: plain functions, no pytest.

nbval compares a good deal and passes over the rest in silence: pictures, the order of printed and shown things, text
before a carriage return, outputs that are cleared, updated or late. ``difference`` looks at all of it.
"""

from __future__ import annotations

import ast
import base64
import binascii
import io
import re
from collections.abc import Iterable, Iterator
from html.parser import HTMLParser
from pathlib import Path

from execute_notebooks import WIDGET_VIEW
from nbval.plugin import get_sanitize_patterns
from PIL import Image, ImageChops

SANITIZE = Path(__file__).with_name("nbval_sanitize.cfg")
SANITIZING = tuple(get_sanitize_patterns(SANITIZE.read_text(encoding="utf-8")))
PICTURES = ("image/png", "image/jpeg")
SMALLEST = 40  # pixels: a picture with a shorter side shows nobody anything
# Two pictures are compared as blocks of 16 x 16 pixels. Between matplotlib 3.10 and 3.11 no block of a timeline changed
# by 16 of the 255 greys; one bar more or less changed eight blocks by 24.
BLOCK, GREYS, FEW = 16, 24, 2

ONE_MACHINE = (
    (re.compile(r"\b0x[0-9a-fA-F]{4,}\b"), "an address in memory"),
    (re.compile(r"(?:(?<![\w.:/])/(?:home|Users|root|tmp|var|usr|opt|mnt|work|private)/|\b[A-Z]:\\)\S*"), "a path"),
    (re.compile(r"site-packages|ipykernel_\d+|<ipython-input"), "a path"),
    (re.compile(r"\b\d+(?:\.\d+)?\s?(?:ns|us|µs|μs|ms|milliseconds|microseconds)\b"), "a timing"),
    (re.compile(r"\b\d+\.\d+\s?(?:s|sec|secs|seconds)\b"), "a timing"),
    (re.compile(r"\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\b\d\d:\d\d:\d\d\b"), "a time of day"),
)
# Where the like of a path or a timing means nothing: addresses, the bytes of pictures, and the style of HTML.
ELSEWHERE = re.compile(
    r"https?://[^\s\"'<>]+|data:image/[\w+]+;base64,[A-Za-z0-9+/=]*|<style[\s\S]*?</style>|\bstyle=(?:\"[^\"]*\"|'[^']*')"
)


class _Images(HTMLParser):
    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[dict[str, str]] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "img":
            self.found.append({name: value or "" for name, value in attrs})


def images_in(html: str) -> list[dict[str, str]]:
    """The attributes of each <img>."""
    return _Images(html).found


def picture_bytes(data: str) -> bytes | None:
    """The bytes of a base64 text, or of a data URI; None when it is neither."""
    try:
        return base64.b64decode(re.sub(r"^data:image/\w+;base64,", "", data.strip()).replace("\n", ""), validate=True)
    except binascii.Error:
        return None


def _open(data: str) -> Image.Image | None:
    content = picture_bytes(data)
    try:
        return Image.open(io.BytesIO(content)).convert("L") if content else None
    except (OSError, SyntaxError, ValueError):
        return None


def picture_fault(data: str) -> str | None:
    """Why this base64 text or data URI is no picture that shows something; None when it is one."""
    picture = _open(data)
    if picture is None:
        return "a stored picture cannot be decoded"
    if min(picture.size) < SMALLEST:
        return f"a stored picture has {picture.width} x {picture.height} pixels, too few to show anything"
    low, high = picture.getextrema()
    return "a stored picture is blank" if low == high else None


def alike(one: str, other: str) -> bool:
    """True when both are pictures and show the same, seen from the last row: another version of matplotlib may move
    an edge; a bar, a lane or a column may not be missing."""
    if one == other:
        return picture_fault(one) is None
    first, second = _open(one), _open(other)
    if first is None or second is None:
        return False
    if any(abs(a - b) > 0.1 * max(a, b) for a, b in zip(first.size, second.size, strict=True)):
        return False
    size = (first.width // BLOCK, first.height // BLOCK)
    apart = ImageChops.difference(first.resize(size, Image.Resampling.BOX), second.resize(size, Image.Resampling.BOX))
    return sum(apart.histogram()[GREYS:]) <= FEW


def sanitized(text: str) -> str:
    for pattern, replacement in SANITIZING:
        text = re.sub(pattern, replacement, text)
    return text


def twin_fault(data: dict) -> str | None:
    """A picture, a control or a page of HTML must say the same as text; None when it does, or when there is none."""
    shown = sorted(kind for kind in data if kind != "text/plain")
    if not shown:
        return None
    twin = data.get("text/plain", "").strip()
    if not twin:
        return f"{shown[0]} is stored without its text twin"
    if _is_name(twin):
        return f"the text twin of {shown[0]} is only a name: {twin[:60]}"
    return None


def _is_name(twin: str) -> bool:
    """``<Figure size 640x480>``, ``Lab(capacity=2)``: what Python says of an object that says nothing of itself."""
    if re.fullmatch(r"<[^\n]*>", twin):
        return True
    try:
        return isinstance(ast.parse(twin, mode="eval").body, ast.Call)
    except (SyntaxError, ValueError):
        return False


def stored_faults(outputs: Iterable[dict], compared: bool = True) -> Iterator[str]:
    """What is wrong with the stored outputs of one code cell, a sentence each. ``compared`` is False for a cell
    whose output may differ from run to run; it may hold timings."""
    outputs = list(outputs)
    kinds = {"printed" if output["output_type"] == "stream" else "shown" for output in outputs}
    if len(kinds) > 1:
        yield "mixes printed and shown outputs, whose order nobody compares: make it two cells"
    for output in outputs:
        if output["output_type"] == "stream" and output["name"] != "stdout":
            yield f"stores text on {output['name']}"
        for text in texts(output):
            if re.search(r"\r|\x08", text):
                yield "stores a carriage return or a backspace, before which nothing is compared"
            for pattern, what in ONE_MACHINE if compared else ONE_MACHINE[:3]:
                if found := pattern.search(ELSEWHERE.sub("", text)):
                    yield f"stores {what}: {found.group()[:60]}"
        data = output.get("data", {})
        if WIDGET_VIEW in data:
            yield "stores a widget's id, which is new in every run"
        if fault := twin_fault(data):
            yield fault
        for kind in PICTURES:
            if kind in data and (fault := picture_fault(data[kind])):
                yield fault
        for image in images_in(data.get("text/html", "")):
            if not image.get("alt", "").strip():
                yield "shows an <img> without alt text"
            if not image.get("src", "").startswith("data:image/"):
                yield f"shows an <img> that is not stored with it: {image.get('src', '')[:60]}"
            elif fault := picture_fault(image["src"]):
                yield fault


def texts(output: dict) -> list[str]:
    """All that is text in an output, whatever its kind."""
    data = output.get("data", {})
    parts = [output.get("text"), output.get("evalue"), *output.get("traceback", ())]
    return [part for part in [*parts, *(data[kind] for kind in data if kind not in PICTURES)] if isinstance(part, str)]


def normal(outputs: Iterable[dict]) -> list[tuple]:
    """Outputs in the order in which a reader meets them, reduced to what must be the same in every run."""
    seen: list[tuple] = []
    for output in outputs:
        kind = output["output_type"]
        if kind == "stream":
            if seen and seen[-1][:2] == (kind, output["name"]):
                seen[-1] = (kind, output["name"], seen[-1][2] + output["text"])
            else:
                seen.append((kind, output["name"], output["text"]))
        elif kind == "error":
            seen.append((kind, output["ename"], output["evalue"]))
        else:
            seen.append((kind, {name: data for name, data in output["data"].items() if name != WIDGET_VIEW}))
    return seen


def difference(stored: Iterable[dict], fresh: Iterable[dict], compared: bool = True) -> str | None:
    """One sentence on the first thing in which two runs of a cell differ; None when they agree.

    With ``compared=False`` the contents may differ, what kinds of output come in which order may not.
    """
    before, now = normal(stored), normal(fresh)
    kinds = [[(one[0], sorted(one[1])) if isinstance(one[1], dict) else one[:2] for one in run] for run in (before, now)]
    if kinds[0] != kinds[1]:
        return f"the kinds or the order of the outputs differ: stored {_say(kinds[0])}, now {_say(kinds[1])}"
    for old, new in zip(before, now, strict=True) if compared else ():
        if not isinstance(old[1], dict):
            if old != new:
                return f"the {old[0]} differs: stored {old[-1]!r:.200}, now {new[-1]!r:.200}"
            continue
        for kind, data in old[1].items():
            if kind in PICTURES:
                if not alike(data, new[1][kind]):
                    return f"the {kind} differs from the stored picture, or shows nothing"
            elif not isinstance(data, str):
                if data != new[1][kind]:
                    return f"the {kind} differs"
            elif sanitized(data) != sanitized(new[1][kind]):
                return f"the {kind} differs: stored {data!r:.200}, now {new[1][kind]!r:.200}"
            elif kind == "text/html":
                pairs = zip(images_in(data), images_in(new[1][kind]), strict=True)
                if not all(alike(one.get("src", ""), other.get("src", "")) for one, other in pairs):
                    return "a picture in the HTML differs from the stored one, or shows nothing"
    return None


def _say(kinds: list) -> str:
    return ", ".join(f"{kind} ({name if isinstance(name, str) else ' + '.join(name)})" for kind, name in kinds) or "none"
