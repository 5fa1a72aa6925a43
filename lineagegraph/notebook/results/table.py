"""Rows as a table: of text, and of HTML that needs nothing else."""

from collections.abc import Sequence
from html import escape
from typing import Any

from lineagegraph.notebook.results.say import NOTHING, say

_WIDEST = 200
_WIDEST_WHOLE = 10_000
_WIDEST_TEXT = 40
_ROWS = 100
_ROWS_TEXT = 20
_TOP = "vertical-align:top;max-width:36em;overflow-wrap:anywhere;white-space:normal"
_LEFT = f'style="text-align:left;{_TOP}"'
_RIGHT = f'style="text-align:right;{_TOP};font-variant-numeric:tabular-nums"'


def text_table(columns: Sequence[str], rows: Sequence[Sequence[Any]], note: str = "") -> str:
    """Return the first rows below the names of the columns, long values cut."""
    shown = [[_cut(say(value), _WIDEST_TEXT) for value in row] for row in rows[:_ROWS_TEXT]]
    head = [_cut(say(name), _WIDEST_TEXT) for name in columns]
    widths = [max(map(len, cells)) for cells in zip(head, *shown, strict=True)]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in (head, *shown)
    ]
    return "\n".join((*lines, tell(len(rows), note, _ROWS_TEXT)))


def html_table(columns: Sequence[str], rows: Sequence[Sequence[Any]], note: str = "") -> str:
    """Return the first rows; more of a value that is cut is shown where one points at it."""
    head = "".join(f"<th {_LEFT}>{escape(say(name))}</th>" for name in columns)
    body = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in rows[:_ROWS])
    told = escape(tell(len(rows), note, _ROWS))
    return (
        f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
        f'<div style="opacity:.7">{told}</div>'
    )


def _cell(value: Any) -> str:
    whole = say(value)
    side = _RIGHT if isinstance(value, int | float) and not isinstance(value, bool) else _LEFT
    if value is None:
        return f'<td {side}><span style="opacity:.5">{NOTHING}</span></td>'
    short = _cut(whole, _WIDEST)
    title = "" if short == whole else f' title="{escape(_cut(whole, _WIDEST_WHOLE))}"'
    return f"<td {side}{title}>{escape(short)}</td>"


def _cut(text: str, widest: int) -> str:
    return text if len(text) <= widest else f"{text[: widest - 1]}…"


def tell(rows: int, note: str, shown: int | None = None) -> str:
    """Say how many rows there are, and how many of them are shown where that is not all."""
    counted = "no rows" if not rows else "1 row" if rows == 1 else f"{rows:,} rows"
    if shown is not None and rows > shown:
        counted = f"{shown} of {counted}"
    return ", ".join(filter(None, (counted, note)))
