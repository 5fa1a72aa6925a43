"""Rows as a table: of text, and of HTML that needs nothing else."""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from html import escape
from typing import Any

from lineagegraph.notebook.results.say import NOTHING, say
from lineagegraph.text import format_count

_WIDEST = 200
_WIDEST_WHOLE = 10_000
_WIDEST_TEXT = 40
_ROWS = 100
_ROWS_TEXT = 20
_WHOLE = 36
_HASH = re.compile(r"[0-9a-f]{40,64}")
_HASH_START = 12
_TOP = "vertical-align:top;max-width:36em"
_BROKEN = "overflow-wrap:anywhere;white-space:normal;min-width:14em"
_LEFT = "text-align:left"
_RIGHT = "text-align:right;font-variant-numeric:tabular-nums"


def text_table(columns: Sequence[str], rows: Sequence[Sequence[Any]], note: str = "") -> str:
    """Return the first rows below the names of the columns, long values cut."""
    shown = [[_cut(_brief(value), _WIDEST_TEXT) for value in row] for row in rows[:_ROWS_TEXT]]
    head = [_cut(say(name), _WIDEST_TEXT) for name in columns]
    widths = [max(map(len, cells)) for cells in zip(head, *shown, strict=True)]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in (head, *shown)
    ]
    return "\n".join((*lines, describe_rows(len(rows), note, _ROWS_TEXT)))


def html_table(columns: Sequence[str], rows: Sequence[Sequence[Any]], note: str = "") -> str:
    """Return the first rows; the tooltip of a shortened value has more of it."""
    head = "".join(f"<th {_style(_LEFT, say(name))}>{escape(say(name))}</th>" for name in columns)
    body = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in rows[:_ROWS])
    described = escape(describe_rows(len(rows), note, _ROWS))
    return (
        f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
        f'<div style="opacity:.7">{described}</div>'
    )


def _cell(value: Any) -> str:
    whole, short = say(value), _cut(_brief(value), _WIDEST)
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    style = _style(_RIGHT if is_number else _LEFT, short)
    if value is None:
        return f'<td {style}><span style="opacity:.5">{NOTHING}</span></td>'
    title = "" if short == whole else f' title="{escape(_cut(whole, _WIDEST_WHOLE))}"'
    return f"<td {style}{title}>{escape(short)}</td>"


def _style(side: str, text: str) -> str:
    """Break long texts in narrow columns; words and ids stay whole."""
    return f'style="{side};{_TOP};{_BROKEN if len(text) > _WHOLE else "white-space:nowrap"}"'


def _brief(value: Any) -> str:
    """Format a time to the second, a number to the thousandth or to three digits, a hash by its
    start, and a list or mapping of simple values without brackets and quotes.
    """
    match value:
        case datetime():
            return say(value.replace(microsecond=0))
        case float() if abs(value) >= 1:
            return say(round(value, 3))
        case float():
            return f"{value:.3g}"
        case [*parts] if all(map(_is_simple, parts)):
            return ", ".join(map(_brief, parts))
        case Mapping() if all(map(_is_simple, value.values())):
            return ", ".join(f"{name}: {_brief(part)}" for name, part in value.items())
        case str() if _HASH.fullmatch(value):
            return f"{value[:_HASH_START]}…"
    return say(value)


def _is_simple(value: Any) -> bool:
    return isinstance(value, str | int | float | datetime)


def _cut(text: str, widest: int) -> str:
    return text if len(text) <= widest else f"{text[: widest - 1]}…"


def describe_rows(rows: int, note: str, shown: int | None = None) -> str:
    """Return the number of rows, and the number shown if it is not all."""
    counted = format_count(rows, "row") if rows else "no rows"
    if shown is not None and rows > shown:
        counted = f"{shown} of {counted}"
    return ", ".join(filter(None, (counted, note)))
