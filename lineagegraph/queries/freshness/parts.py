"""Latest successes by the values of a partition key."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import datetime

import msgspec

from lineagegraph.graph import Transaction
from lineagegraph.model.names.keys import canonical_json
from lineagegraph.store.freshness import terms as store
from lineagegraph.store.freshness.terms import PartSuccess, TermsRow

Parts = Mapping[str, datetime | None]
"""The latest success of each value; None if it was never seen."""


def read_parts(tx: Transaction, rows: Iterable[TermsRow], until: datetime) -> dict[str, Parts]:
    """Return the values of each node whose terms hold for each value of a partition key.

    A success without that key counts for all values. A node without any value is left out, and so
    are successes after `until`.
    """
    asked = {row.key: row for row in rows if row.per is not None}
    found: dict[str, list[PartSuccess]] = defaultdict(list)
    questions = [_asked(row) for row in asked.values()]
    for one in store.list_part_successes(tx, rows=questions, until=until):
        found[one.key].append(one)
    parts = {key: _parts_of(row, found[key]) for key, row in asked.items()}
    return {key: values for key, values in parts.items() if values}


def _asked(row: TermsRow) -> dict[str, object]:
    marker = f",{canonical_json(row.per)}:"
    return {"key": row.key, "counts": row.counts, "unchanged": row.unchanged, "marker": marker}


def _parts_of(row: TermsRow, found: Iterable[PartSuccess]) -> Parts:
    whole: datetime | None = None
    lasts: dict[str, datetime | None] = dict.fromkeys(row.expected)
    for one in found:
        value = _value(one.partition, row.per)
        if value is None:
            whole = max(whole or one.last_at, one.last_at)
        else:
            lasts[value] = max(lasts.get(value) or one.last_at, one.last_at)
    return {
        value: max(filter(None, (last, whole)), default=None)
        for value, last in sorted(lasts.items())
    }


def _value(partition: str | None, per: str | None) -> str | None:
    """Return the value of a key in a partition as text; None without that key."""
    known = msgspec.json.decode(partition) if partition else None
    if not isinstance(known, dict) or per not in known:
        return None
    value = known[per]
    return value if isinstance(value, str) else canonical_json(value)
