"""How transformations chain."""

from itertools import product

import pytest

from lineagegraph.spark.columns.transformations import strongest, then

SUBTYPES = ("IDENTITY", "TRANSFORMATION", "AGGREGATION", "FILTER", "JOIN")


@pytest.mark.parametrize(("first", "second"), list(product(SUBTYPES, repeat=2)))
def test_chaining_never_weakens_and_identity_changes_nothing(first, second):
    assert then("IDENTITY", second) == second
    assert then(first, "IDENTITY") == first
    assert then(first, then(first, second)) == then(first, second)


def test_what_only_decides_stays_so_after_any_direct_step():
    assert then("FILTER", "AGGREGATION") == "FILTER"
    assert then("AGGREGATION", "WINDOW") == "WINDOW"


def test_of_several_direct_ways_the_strongest_is_told():
    source = (1, "amount")
    sources = frozenset({(source, s) for s in ("IDENTITY", "AGGREGATION", "WINDOW", "FILTER")})
    assert strongest(sources) == {source: ["AGGREGATION", "FILTER", "WINDOW"]}
