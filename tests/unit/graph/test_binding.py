"""Statements that go over a list."""

from typing import Any

from lineagegraph.store.jobs import jobs
from lineagegraph.store.runs import facets


class NoTransaction:
    """Refuses every statement."""

    def run(self, query: Any, parameters: Any = None) -> Any:
        raise AssertionError(f"sent: {query}")


def test_a_statement_over_an_empty_list_is_not_sent() -> None:
    assert jobs.merge_jobs(NoTransaction(), rows=[]) == []
    assert facets.list_bodies(NoTransaction(), hashes=[]) == []
    assert jobs.delete_empty(NoTransaction(), keys=[]) == []
