"""The check of one query: its truth, and the table of differences."""

from tests.acceptance.conformance.both import Both
from tests.acceptance.conformance.query import Query
from tests.acceptance.conformance.table import known


def check(both: Both, query: Query) -> None:
    """Fail if the lineage of a query is not its truth, or differs otherwise than the table says."""
    found = both.run(query)
    assert found.of("reads") == query.reads
    assert found.of("writes") == query.writes
    assert found.opaque == query.opaque
    ours, theirs = known(query.name)
    assert (found.only_ours, found.only_theirs) == (ours, theirs)
