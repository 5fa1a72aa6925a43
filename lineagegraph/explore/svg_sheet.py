"""The sheet that a drawing is on, its lines, and names that fit."""

import re
from collections.abc import Iterable
from html import escape
from itertools import pairwise

from lineagegraph.explore.layout import Point
from lineagegraph.explore.svg_style import STYLE

LETTER = 8.3
SMALL_LETTER = 6.1
_LONGEST = 34
# What XML cannot hold, however it is escaped: with it there would be no picture at all.
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_MARGIN = 24.0
# A page that is too narrow shows it smaller, as far as it can be read.
_SMALLEST = 0.65
_ARROWS = (
    '<defs><marker id="lineagegraph-arrow" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" '
    'markerHeight="7" orient="auto"><path class="tip" d="M0 1L10 5L0 9z"/></marker></defs>'
)


def draw_sheet(title: str, width: float, height: float, parts: Iterable[str]) -> str:
    """Return the picture that has these parts on it."""
    width, height = width + 2 * _MARGIN, height + 2 * _MARGIN
    drawn = _NOT_XML.sub("\N{REPLACEMENT CHARACTER}", "\n".join(parts))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="lineagegraph" role="img" '
        f'aria-label="{escape(title)}" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="{-_MARGIN:.0f} {-_MARGIN:.0f} {width:.0f} {height:.0f}" '
        f'style="max-width:100%;min-width:{_SMALLEST * width:.0f}px;height:auto">\n'
        f"<style>{STYLE}</style>\n{_ARROWS}\n"
        f'<rect class="paper" x="{-_MARGIN:.0f}" y="{-_MARGIN:.0f}" width="100%" height="100%"/>\n'
        f"{drawn}\n</svg>\n"
    )


def draw_line(route: list[Point], kind: str, said: str) -> str:
    """Return a line with an arrow at its end; `said` is shown where somebody points at it."""
    path = f"M{route[0].x:.1f} {route[0].y:.1f}"
    for start, end in pairwise(route):
        middle = (start.x + end.x) / 2
        if abs(start.y - end.y) < 0.5:
            path += f"H{end.x:.1f}"
        else:
            path += f"C{middle:.1f} {start.y:.1f} {middle:.1f} {end.y:.1f} {end.x:.1f} {end.y:.1f}"
    return (
        f'<path class="{kind}" d="{path}" marker-end="url(#lineagegraph-arrow)">'
        f"<title>{escape(said)}</title></path>"
    )


def short(text: str, longest: int = _LONGEST) -> str:
    """Return a name that fits, with both ends of a long one: its middle says least."""
    if len(text) <= longest:
        return text
    half = (longest - 1) // 2
    return f"{text[: longest - 1 - half]}…{text[-half:]}"
