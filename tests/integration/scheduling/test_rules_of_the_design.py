"""The conditions that CDAP's design of program status schedules names, in its own words.

Its pipelines are the generator of a golden feed and its consumer; "files.processed from Gold Feed
Generator should not be empty" is one of its examples, "runcount < 2" another.
"""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from lineagegraph import on
from lineagegraph.graph import Graph
from lineagegraph.model.triggers.predicate import Predicate
from lineagegraph.model.triggers.trigger import Trigger
from tests.integration.scheduling.rules import end, write_rules

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
GENERATOR = "Gold Feed Generator"
CONSUMER = "Golden Feed Consumer"


def fires(graph: Graph, test: Predicate, kind: str = "COMPLETE", **emitted: Any) -> bool:
    """Whether the end of the generator, with what it emitted, starts the consumer."""
    when = on.status(GENERATOR, "COMPLETED").where(test)
    graph.write(write_rules, {CONSUMER: Trigger(when=when)}, now=NOON)
    said = {"emitted": {"publish": emitted}}
    return len(end(graph, GENERATOR, kind, at=NOON + timedelta(minutes=1), own=said)) == 1


@pytest.mark.parametrize(
    ("test", "passes", "fails"),
    [
        (on.key("files.processed").not_empty(), ["a.csv"], []),
        (on.key("files-processed").not_empty(), ["a.csv"], ""),
        (on.key("file-path").exists(), None, ...),
        (on.key("file-path") == "/staging/reuters", "/staging/reuters", "/staging/bloomberg"),
        (on.key("runcount") < 2, 1, 2),
        (on.key("runcount") < 2, 0, "1"),
        (on.key("runcount") < 2, 1.5, ...),
    ],
    ids=str,
)
def test_a_key_exists_equals_or_matches_a_condition(
    graph: Graph, test: Predicate, passes: Any, fails: Any
) -> None:
    assert not fires(graph, test, **({} if fails is ... else {test.key: fails}))
    assert fires(graph, test, **{test.key: passes})


@pytest.mark.parametrize("kind", ["FAIL", "ABORT"])
def test_the_feed_is_processed_only_if_the_upstream_pipeline_completed(
    graph: Graph, kind: str
) -> None:
    assert not fires(graph, on.key("file-path").exists(), kind, **{"file-path": "/staging"})
