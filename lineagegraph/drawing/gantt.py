"""A Gantt chart of a run and its descendants, as a self-contained SVG picture."""

from collections.abc import Iterator
from datetime import datetime
from html import escape
from typing import NamedTuple

from lineagegraph.drawing.svg_sheet import draw_sheet, short
from lineagegraph.model.runs.states import JobKind
from lineagegraph.queries.runs.hierarchy import Branch
from lineagegraph.store.jobs.hierarchy import RunTreeRow

_ROW = 24.0
_NAMES = 260.0
_BARS = 560.0
_LETTER = 6.6
_INDENT = 14.0
_MOST = 60
_SPARK = (JobKind.APPLICATION, JobKind.ACTION)


class _Line(NamedTuple):
    row: RunTreeRow
    depth: int


def to_gantt(tree: Branch[RunTreeRow], now: datetime) -> str:
    """Draw a run's tree as bars in the colours of their states, without Spark's runs.

    Bars of open runs end now. Only the first lines of a very long chart are drawn.
    """
    lines = list(_lines(tree, 0))
    shown = lines[:_MOST]
    begin = min((_began(line.row) or now for line in lines), default=now)
    end = max((line.row.ended_at or now for line in lines if line.row.started_at), default=now)
    span = max((end - begin).total_seconds(), 0.001)
    parts = [_line(n, line, begin, span, now) for n, line in enumerate(shown)]
    if len(lines) > _MOST:
        y = _ROW * (len(shown) + 0.65)
        parts.append(f'<text class="place" y="{y:.0f}">and {len(lines) - _MOST} more</text>')
    height = _ROW * (len(shown) + (len(lines) > _MOST))
    return draw_sheet("Runs over time", _NAMES + _BARS, height, parts)


def _lines(branch: Branch[RunTreeRow], depth: int) -> Iterator[_Line]:
    yield _Line(branch.item, depth)
    for child in branch.children:
        if child.item.kind not in _SPARK:
            yield from _lines(child, depth + 1)


def _line(number: int, line: _Line, begin: datetime, span: float, now: datetime) -> str:
    row, y = line.row, _ROW * number
    began = _began(row) or now
    ended = max(row.ended_at or (now if row.started_at else began), began)
    x = _NAMES + _BARS * (began - begin).total_seconds() / span
    width = max(_BARS * (ended - began).total_seconds() / span, 3.0)
    left = _INDENT * line.depth
    name = row.short_label if line.depth else row.name
    return (
        f"<g><title>{escape(f'{row.name} {row.state}')}</title>"
        f'<text class="{"place" if line.depth else "name"}" x="{left:.0f}" y="{y + 16:.0f}">'
        f"{escape(short(name, int((_NAMES - left - 10) / _LETTER)))}</text>"
        f'<rect class="state {escape(row.state.lower())}" x="{x:.1f}" y="{y + 5:.0f}" '
        f'width="{width:.1f}" height="{_ROW - 10:.0f}" rx="3"/></g>'
    )


def _began(row: RunTreeRow) -> datetime | None:
    return row.started_at or row.created_at
