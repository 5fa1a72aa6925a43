"""What an earlier version of the graph knows of versions tells when each was in force."""

from datetime import UTC, datetime, timedelta

from lineagegraph.graph import Graph, list_migrations
from lineagegraph.queries.versions.history import read_versions
from tests.definitions import daily, define

MONDAY = datetime(2026, 3, 2, tzinfo=UTC)
DAY = timedelta(days=1)
A, B = "a" * 64, "b" * 64


def migrated(graph: Graph, *hashes: str) -> dict[str, list[tuple[datetime, datetime | None]]]:
    """State versions a day after each other, forget when they were in force, and migrate twice."""
    for number, hash_ in enumerate(hashes):
        job = define(graph, daily(), now=MONDAY + number * DAY, hash=hash_)
    graph.query("MATCH (:Job)-[f:IN_FORCE]->(:JobVersion) DELETE f", write=True)
    (keep,) = [one for one in list_migrations() if "in_force" in one.name]
    with graph.autocommit() as session:
        session.run(keep.text).consume()
        session.run(keep.text).consume()
    return {
        one.version: [(period.since, period.until) for period in one.periods]
        for one in read_versions(graph, job)
    }


def test_a_version_was_in_force_until_the_next_one_was_new(graph: Graph) -> None:
    tuesday = MONDAY + DAY
    assert migrated(graph, A, B) == {A: [(MONDAY, tuesday)], B: [(tuesday, None)]}


def test_one_that_came_back_is_in_force_again_from_now_on_at_the_latest(graph: Graph) -> None:
    found = migrated(graph, A, B, A)
    first, again = found[A]
    ((since, until),) = found[B]
    assert first == (MONDAY, MONDAY + DAY)
    assert (since, again[1]) == (MONDAY + DAY, None)
    assert until == again[0]
