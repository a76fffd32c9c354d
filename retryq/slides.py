"""A lesson for the projector: a handout of which one step is shown at a time, big.

`python start.py handouts --slides 05-fencing` makes ``handouts/05-fencing-slides.html``, which needs no network. A
step is a text cell with the code below it. What a cell answers stays hidden until the key is pressed once more, so
that the class can be asked first.
"""

from __future__ import annotations

import re
from importlib.resources import files

__all__ = ["slides"]

KEYS = "Space or → goes on, ← goes back, ↑ and ↓ scroll, + and − change the size; 7 Enter goes to step 7."


def slides(handout: str) -> str:
    """The slides out of the HTML of a handout. Where scripts may not run, they are the handout still."""
    style, script = ((files("retryq") / "data" / f"slides.{kind}").read_text(encoding="utf-8") for kind in ("css", "js"))
    text = handout.replace("</style>\n</head>", f"{style}</style>\n</head>", 1)
    text = re.sub(r'(<a href="\d\d-[\w-]+)\.html', r"\1-slides.html", text)  # from slides to slides
    return text.replace("</main>\n", f'</main>\n<p id="keys">{KEYS}</p>\n<script>\n{script}</script>\n', 1)
