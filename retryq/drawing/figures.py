"""What every matplotlib figure of the kit has in common when it becomes a file."""

from __future__ import annotations

from io import BytesIO
from typing import Any

from retryq.drawing.palette import PAPER

__all__ = ["SETTINGS", "png_of"]

# What a user may have set otherwise, and a picture must not depend on: for ``matplotlib.rc_context``.
SETTINGS: dict[Any, Any] = {
    "path.sketch": None,
    "path.snap": True,
    "path.simplify": True,
    "patch.antialiased": True,
    "lines.antialiased": True,
    "savefig.bbox": "standard",
    "savefig.transparent": False,
    "svg.hashsalt": "retryq",
    "svg.fonttype": "path",
    "pdf.fonttype": 42,
}


def png_of(figure: Any, dpi: float) -> bytes:
    """A figure as PNG, as matplotlib writes it."""
    drawn = BytesIO()
    figure.savefig(drawn, format="png", dpi=dpi, facecolor=PAPER, metadata={"Software": None})
    return drawn.getvalue()
