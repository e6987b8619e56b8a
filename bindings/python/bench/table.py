"""Tables in Markdown, and the rows of goals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Goal:
    """A measured number, its limit, and the direction."""

    name: str
    limit: float
    measured: float
    is_most: bool
    unit: str = ""
    digits: int = 2

    @property
    def is_reached(self) -> bool:
        """True if the number, as printed, is within its limit."""
        found = round(self.measured, self.digits)
        return found <= self.limit if self.is_most else found >= self.limit

    def cells(self) -> list[str]:
        """Returns the row of the table."""
        sign = "≤" if self.is_most else "≥"
        measured = f"{self.measured:.{self.digits}f}{self.unit}"
        limit = f"{self.limit:g}"
        return [self.name, f"{sign} {limit}{self.unit}", measured, "yes" if self.is_reached else "**no**"]


def at_most(name: str, limit: float, measured: float, unit: str = "", digits: int = 2) -> Goal:
    """Returns a goal that is reached by small numbers."""
    return Goal(name, limit, measured, True, unit, digits)


def at_least(name: str, limit: float, measured: float, unit: str = "", digits: int = 2) -> Goal:
    """Returns a goal that is reached by large numbers."""
    return Goal(name, limit, measured, False, unit, digits)


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Returns a table, whose first column is text and whose others are numbers."""
    lines = ["| " + " | ".join(head) + " |", "|---|" + "---:|" * (len(head) - 1)]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines)
