"""The table of differences and its page name the queries that there are."""

from collections import Counter

from tests.acceptance.conformance.page import PAGE, render_page
from tests.acceptance.conformance.queries import THEMES
from tests.acceptance.conformance.query import queries_of
from tests.acceptance.conformance.table import read_table


def test_names_of_queries_are_unique():
    names = Counter(query.name for query in queries_of(*THEMES))
    assert [name for name, count in names.items() if count > 1] == []


def test_each_row_is_of_a_query_and_has_a_difference_and_a_reason():
    rows, reasons = read_table()
    assert {row.query for row in rows} <= {query.name for query in queries_of(*THEMES)}
    assert {row.why for row in rows} == set(reasons)
    assert all(row.ours or row.theirs for row in rows)


def test_the_page_is_that_of_the_table():
    assert PAGE.read_text() == render_page(), "python -m tests.acceptance.conformance.page"
