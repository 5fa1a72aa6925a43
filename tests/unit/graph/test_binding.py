"""Statements that go over a list, or as many steps as asked for."""

from typing import Any

import pytest

from lineagegraph.store.jobs import jobs
from lineagegraph.store.lineage import lineage
from lineagegraph.store.runs import facets


class NoTransaction:
    """Refuses every statement."""

    def run(self, query: Any, parameters: Any = None) -> Any:
        raise AssertionError(f"sent: {query}")


def test_a_statement_over_an_empty_list_is_not_sent() -> None:
    assert jobs.merge_jobs(NoTransaction(), rows=[]) == []
    assert facets.list_bodies(NoTransaction(), hashes=[]) == []
    assert jobs.delete_empty(NoTransaction(), keys=[]) == []


@pytest.mark.parametrize("walk", [lineage.walk_upstream, lineage.walk_downstream])
@pytest.mark.parametrize(("depth", "most"), [(0, 0), (3, 3), (20, 20), (21, 1_000_000)])
def test_a_walk_goes_no_further_than_asked_for(walk: Any, depth: int, most: int) -> None:
    with pytest.raises(AssertionError, match=rf"SAME_AS\*0\.\.{most}\]"):
        walk(NoTransaction(), key="k", depth=depth, limit=9, at=None)
