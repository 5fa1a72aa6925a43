"""A dozen queries of the suite, one of each kind."""

import pytest

from tests.acceptance.conformance.checks import find_faults
from tests.acceptance.conformance.queries import MAIN
from tests.acceptance.conformance.query import queries_of
from tests.acceptance.conformance.sessions import small_session

NAMES = (
    "join_and_sum",
    "window_in_common_tables",
    "sub_queries",
    "unpivot",
    "stack",
    "intersect_and_except",
    "distinct_rows",
    "partitions",
    "pandas_function",
    "text_files",
    "foreach",
    "create_as_select",
    "insert_into_folder",
    "drop_table",
    "drop_missing_table",
    "rename_table",
    "stream_to_files",
)
QUERIES = [query for query in queries_of(*MAIN) if query.name in NAMES]


@pytest.fixture(scope="module")
def both(tmp_path_factory):
    with small_session(tmp_path_factory.mktemp("twin")) as both:
        yield both


@pytest.mark.parametrize("query", QUERIES, ids=lambda query: query.name)
def test_query(query, both):
    assert find_faults(both, query) == {}
