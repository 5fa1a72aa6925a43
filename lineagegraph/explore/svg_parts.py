"""A row of parts in a box of a drawing: for each a dot in the colour of its state, and its name."""

from collections.abc import Sequence
from html import escape

from lineagegraph.explore.lineage_graph import Part

ROW = 22.0
_LETTER = 7.0
_GAP = 26.0
_MOST = 8


def parts_width(parts: Sequence[Part]) -> float:
    """Return how wide a box has to be for its parts."""
    return sum(_GAP + len(label) * _LETTER for label, _ in _shown(parts)) + 14


def draw_parts(parts: Sequence[Part], top: float) -> str:
    """Draw the row, below what else is in the box."""
    x, drawn = 14.0, ""
    for label, state in _shown(parts):
        drawn += _dot(state, x + 5, top + 8) if state else ""
        drawn += f'<text class="place" x="{x + 14:.1f}" y="{top + 12:.1f}">{escape(label)}</text>'
        x += _GAP + len(label) * _LETTER
    return drawn


def _dot(state: str, x: float, y: float) -> str:
    return (
        f'<circle class="state {escape(state.lower())}" cx="{x:.1f}" cy="{y:.1f}" r="4.5">'
        f"<title>{escape(state)}</title></circle>"
    )


def _shown(parts: Sequence[Part]) -> list[tuple[str, str]]:
    """Return names and states; the last stands for those that there is no room for."""
    shown = [(part.value, part.state) for part in parts[:_MOST]]
    more = len(parts) - _MOST
    return [*shown, (f"and {more} more", "")] if more > 0 else shown
