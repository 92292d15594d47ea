"""What a benchmark yields, and the one table that shows it."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

HEADINGS = ("figure", "measured", "target", "ratio")

THREE_DIGITS = 99.95  # from here on, whole numbers have at least as many


@dataclass(frozen=True)
class Figure:
    """One measured number. `target` is the most it may be (None: nothing was promised); `note` says how it was measured."""

    area: str
    name: str
    value: float
    unit: str
    target: float | None = None
    note: str = ""

    @property
    def ratio(self) -> float | None:
        """Measured over target: above 1 the promise is broken."""
        return self.value / self.target if self.target else None

    @property
    def is_kept(self) -> bool:
        return self.target is None or self.value <= self.target


def as_json(figures: Iterable[Figure]) -> list[dict[str, Any]]:
    return [{**asdict(figure), "ratio": figure.ratio, "is_kept": figure.is_kept} for figure in figures]


def as_table(figures: Sequence[Figure]) -> str:
    """Return the figures as lines, under the name of their area; a broken promise ends in `over`."""
    rows = [_row(figure) for figure in figures]
    widths = [max(map(len, column)) for column in zip(HEADINGS, *rows, strict=True)]
    lines = [_line(HEADINGS, widths)]
    area = ""
    for figure, row in zip(figures, rows, strict=True):
        if figure.area != area:
            area = figure.area
            lines += ["", area]
        lines.append(_line(row, widths) + ("" if figure.is_kept else "  over") + (f"  {figure.note}" if figure.note else ""))
    return "\n".join(lines)


def _row(figure: Figure) -> tuple[str, str, str, str]:
    target = "" if figure.target is None else f"<= {_number(figure.target)}"
    ratio = "" if figure.ratio is None else f"{figure.ratio:.2f}"
    return f"  {figure.name}", f"{_number(figure.value)} {figure.unit}".rstrip(), target, ratio


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    first, *rest = [(cell, width) for cell, width in zip(cells, widths, strict=True)]
    return "  ".join([first[0].ljust(first[1]), *(cell.rjust(width) for cell, width in rest)]).rstrip()


def _number(value: float) -> str:
    """Return whole numbers whole and all others with three digits."""
    return f"{value:,.0f}" if value >= THREE_DIGITS or value == int(value) else f"{value:#.3g}"
