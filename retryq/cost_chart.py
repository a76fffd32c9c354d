"""A chart of how a cost grows: a line for each queue, axes by powers of ten. Its text twin is the table."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from matplotlib.figure import Figure

from retryq.cost import Growth
from retryq.drawing.card import card
from retryq.drawing.figures import png_of
from retryq.drawing.palette import INK, PAPER

__all__ = ["Chart"]

# Colour, line and mark: each tells the queues apart. Where lines coincide, the wider is drawn first.
LOOKS: dict[str, tuple[str, str, str, float]] = {
    "list": ("#d55e00", "-", "s", 5.0),
    "deque": ("#0072b2", "--", "o", 3.2),
    "dict": ("#1a1a1a", ":", "x", 2.0),
    "OrderedDict": ("#009e73", "-", "D", 2.0),
}


class Chart:
    """A picture of a `Growth`.

    >>> from retryq.cost import grow
    >>> print(Chart(grow("reserve all", (10, 100))))
    reserve all: steps for each job
                       10 jobs      100 jobs
    list                   5.5          50.5
    deque                  1.0           1.0
    dict                   5.5          50.5
    OrderedDict            1.0           1.0
    """

    def __init__(self, growth: Growth) -> None:
        self.growth = growth

    def text(self) -> str:
        """The text twin: the numbers that are drawn."""
        return str(self.growth)

    __str__ = __repr__ = text

    @property
    def alt(self) -> str:
        """The picture in sentences."""
        sizes = self.growth.sizes
        lines = [f"{name} {means[0]:,.1f} with {sizes[0]:,} jobs, {means[-1]:,.1f} with {sizes[-1]:,}"
                 for name, means in self.growth.mean.items()]  # fmt: skip
        return f"Chart, {self.growth.work}: {self.growth.unit} for each job. {'; '.join(lines)}."

    def figure(self) -> Figure:
        """A new matplotlib figure, an opaque white card."""
        growth = self.growth
        figure = Figure(figsize=(7.5, 3.9), facecolor=PAPER, layout="constrained")
        axes = figure.add_subplot(facecolor=PAPER)
        axes.set(xscale="log", yscale="log", xlabel="jobs in line")
        axes.set_xlim(growth.sizes[0] / 1.25, growth.sizes[-1] * 4)  # room for the names
        axes.set_title(f"{growth.work}: {growth.unit} for each job", loc="left", fontsize=12, color=INK)
        ends: dict[float, list[str]] = defaultdict(list)  # by height: those that end together share a label
        for name, means in growth.mean.items():
            colour, line, mark, width = LOOKS[name]
            axes.plot(growth.sizes, means, color=colour, linestyle=line, marker=mark, linewidth=width,
                      markersize=width + 5, markerfacecolor=PAPER if mark != "x" else None)  # fmt: skip
            near = next((end for end in ends if means[-1] / 1.3 < end < means[-1] * 1.3), means[-1])
            ends[near].append(name)
        for height, names in ends.items():
            axes.annotate(", ".join(names), (growth.sizes[-1], height), (9, 0), textcoords="offset points",
                          va="center", fontsize=11, color=INK)  # fmt: skip
        top = max(max(means) for means in growth.mean.values())
        low = min(min(means) for means in growth.mean.values())
        axes.set_ylim(low / 2, max(top, 10 * low) * 2)
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_formatter("{x:,.9g}")
        axes.tick_params(which="minor", length=0, labelleft=False, labelbottom=False)
        axes.set_xticks(growth.sizes)
        axes.grid(color="#dedede", linewidth=0.7)
        axes.spines[["top", "right"]].set_visible(False)
        return figure

    def html(self) -> str:
        """The picture with its ``alt``, on a white card that a narrow page scales down, or scrolls."""
        return card(png_of(self.figure(), 120), 720, self.alt, "Chart")

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return {"text/plain": self.text(), "text/html": self.html()}
