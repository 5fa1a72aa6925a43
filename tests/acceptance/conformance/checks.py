"""The check of one query: its truth, and the table of differences."""

from collections.abc import Set

from tests.acceptance.conformance.both import Both
from tests.acceptance.conformance.query import Query
from tests.acceptance.conformance.table import read_table

Fault = dict[str, list[str]]


def find_faults(both: Both, query: Query) -> Fault:
    """Return what is wrong with the lineage of a query, and what the table says otherwise."""
    found = both.run(query)
    rows = [row for row in read_table()[0] if row.query == query.name]
    steady = [row for row in rows if not row.sometimes]
    maybe = [row for row in rows if row.sometimes]
    faults = _faults("reads", found.of("reads"), query.reads)
    faults |= _faults("writes", found.of("writes"), query.writes)
    faults |= _faults("marks", found.opaque, query.opaque)
    for name, seen in (("ours", found.only_ours), ("theirs", found.only_theirs)):
        known = set[str]().union(*(getattr(row, name) for row in steady))
        passing = set[str]().union(*(getattr(row, name) for row in maybe))
        faults |= _faults(f"only {name}", seen - passing, known)
    return faults


def _faults(name: str, found: Set[str], wanted: Set[str]) -> Fault:
    faults = {f"{name}, unexpected": found - wanted, f"{name}, missing": wanted - found}
    return {fault: sorted(lines) for fault, lines in faults.items() if lines}
