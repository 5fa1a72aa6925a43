"""The styles of a drawing; each colour has a light and a dark value."""

import re
from collections.abc import Iterable, Sequence
from html import escape
from itertools import pairwise
from math import inf

from lineagegraph.drawing.layout import BoxPosition
from lineagegraph.queries.lineage.lineage_graph import Part
from lineagegraph.text import visible

STYLE = """
.lineagegraph { --paper:#ffffff; --ink:#1c2430; --soft:#667085; --flow:#98a2b3; --frame:#f7f8fa;
  --frame-line:#d9dee7; --job:#f3effd; --job-line:#7a5bd0; --data:#e9f3fb; --data-line:#2b7bb9;
  --good:#1f9d55; --bad:#d33a3a; --busy:#2b7bb9; --odd:#c77d0a; --idle:#98a2b3;
  font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif }
@media (prefers-color-scheme: dark) { .lineagegraph { --paper:#11151c; --ink:#e6eaf1;
  --soft:#98a2b3; --flow:#667085; --frame:#171c25; --frame-line:#323b4a; --job:#272040;
  --job-line:#a78bfa; --data:#152a3c; --data-line:#5aa9e6; --good:#4cc38a; --bad:#f16a6a;
  --busy:#5aa9e6; --odd:#e5a344; --idle:#667085 } }
.lineagegraph .paper { fill:var(--paper) }
.lineagegraph .frame rect { fill:var(--frame); stroke:var(--frame-line) }
.lineagegraph .frame text { fill:var(--soft); font-size:13px; font-weight:600 }
.lineagegraph .box { stroke-width:1.3 }
.lineagegraph .root .box { stroke-width:3 }
.lineagegraph .job .box { fill:var(--job); stroke:var(--job-line) }
.lineagegraph .dataset .box { fill:var(--data); stroke:var(--data-line) }
.lineagegraph .other .box { fill:var(--frame); stroke:var(--flow) }
.lineagegraph .job .icon { fill:var(--job-line) }
.lineagegraph .job .mark { fill:var(--job) }
.lineagegraph .dataset .icon, .lineagegraph .line { fill:none; stroke:var(--data-line);
  stroke-width:1.6 }
.lineagegraph .rule { stroke:var(--data-line); stroke-opacity:.4 }
.lineagegraph .name { fill:var(--ink); font-size:13px; font-weight:600 }
.lineagegraph .place { fill:var(--soft); font-size:11px }
.lineagegraph .column { fill:var(--ink); font-size:12px }
.lineagegraph .type { fill:var(--soft); font-size:11px; text-anchor:end }
.lineagegraph .flow { fill:none; stroke:var(--flow); stroke-width:1.6 }
.lineagegraph path.column { fill:none; stroke:var(--data-line); stroke-width:1.3;
  stroke-opacity:.75 }
.lineagegraph path.indirect { stroke:var(--flow); stroke-dasharray:4 4 }
.lineagegraph .type-of { fill:var(--soft); font-size:10px; text-anchor:middle;
  paint-order:stroke; stroke:var(--paper); stroke-width:3px }
.lineagegraph .tip { fill:var(--flow) }
.lineagegraph .state { fill:var(--idle) }
.lineagegraph .completed, .lineagegraph .fresh_skip { fill:var(--good) }
.lineagegraph .failed { fill:var(--bad) }
.lineagegraph .running { fill:var(--busy) }
.lineagegraph .killed { fill:var(--odd) }
"""


ROW = 22.0
_LETTER = 7.0
_GAP = 26.0
_MOST = 8


def parts_width(parts: Sequence[Part]) -> float:
    """Return the width that a box needs for its parts."""
    return sum(_GAP + len(label) * _LETTER for label, _ in _shown(parts)) + 14


def draw_parts(parts: Sequence[Part], top: float) -> str:
    """Draw the row of parts below the other contents of the box."""
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
    """Return names and states; the last item stands for those that do not fit."""
    shown = [(part.value, part.state) for part in parts[:_MOST]]
    more = len(parts) - _MOST
    return [*shown, (f"and {more} more", "")] if more > 0 else shown


LETTER = 8.3
SMALL_LETTER = 6.1
_LONGEST = 34
# What XML cannot hold, however it is escaped: with it there would be no picture at all.
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_MARGIN = 24.0
# A page that is too narrow shows it smaller, as far as it can be read.
SMALLEST = 0.65
"""The scale below which texts cannot be read."""
_ARROWS = (
    '<defs><marker id="lineagegraph-arrow" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" '
    'markerHeight="7" orient="auto"><path class="tip" d="M0 1L10 5L0 9z"/></marker></defs>'
)


def draw_sheet(
    title: str, width: float, height: float, parts: Iterable[str], widest: float = inf
) -> str:
    """Return the picture with these parts, as wide as it may be but readable."""
    width, height = width + 2 * _MARGIN, height + 2 * _MARGIN
    scale = min(1.0, max(widest / width, SMALLEST))
    drawn = visible("\n".join(parts), keep="\n")
    drawn = _NOT_XML.sub("\N{REPLACEMENT CHARACTER}", drawn)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="lineagegraph" role="img" '
        f'aria-label="{escape(title)}" width="{scale * width:.0f}" height="{scale * height:.0f}" '
        f'viewBox="{-_MARGIN:.0f} {-_MARGIN:.0f} {width:.0f} {height:.0f}" '
        f'style="max-width:100%;min-width:{SMALLEST * width:.0f}px;height:auto">\n'
        f"<style>{STYLE}</style>\n{_ARROWS}\n"
        f'<rect class="paper" x="{-_MARGIN:.0f}" y="{-_MARGIN:.0f}" width="100%" height="100%"/>\n'
        f"{drawn}\n</svg>\n"
    )


def draw_line(route: list[BoxPosition], kind: str, said: str) -> str:
    """Return a line with an arrow at its end; `said` is its tooltip."""
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
    """Return a name that fits, cut in the middle, which is the least informative part."""
    if len(text) <= longest:
        return text
    half = (longest - 1) // 2
    return f"{text[: longest - 1 - half]}…{text[-half:]}"
