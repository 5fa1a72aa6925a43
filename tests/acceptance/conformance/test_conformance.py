"""All queries under our capture and OpenLineage's listener, in one session."""

import pytest

from tests.acceptance.conformance.checks import find_faults
from tests.acceptance.conformance.sessions import (
    DELTA_QUERIES,
    QUERIES,
    delta_session,
    main_session,
)

pytestmark = pytest.mark.soak


@pytest.fixture(scope="module")
def session_of(tmp_path_factory):
    """Return a function that opens the session for a query, once the one before has ended."""
    open_ = {}

    def switched(name, make):
        if name not in open_:
            close(open_)
            manager = make(tmp_path_factory.mktemp(name))
            open_[name] = manager, manager.__enter__()
        return open_[name][1]

    yield switched
    close(open_)


def close(open_):
    while open_:
        open_.popitem()[1][0].__exit__(None, None, None)


@pytest.mark.parametrize("query", QUERIES, ids=lambda query: query.name)
def test_query(query, session_of):
    assert find_faults(session_of("main", main_session), query) == {}


@pytest.mark.parametrize("query", DELTA_QUERIES, ids=lambda query: query.name)
def test_query_with_delta(query, session_of):
    assert find_faults(session_of("delta", delta_session), query) == {}
