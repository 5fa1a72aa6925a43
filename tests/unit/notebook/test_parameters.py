"""The parameters that a query names."""

import pytest

from lineagegraph.errors import QueryRefused
from lineagegraph.graph.statements import parameters_of
from lineagegraph.notebook.parameters import from_variables, require_all

QUERY = """
// $comment
MATCH (n {name: $name, text: '$quoted \\' $still', `$back`: "$double"})
/* $block
 */ WHERE n.x = $x OR n.y = $name
RETURN n
"""


def test_what_is_quoted_or_a_comment_names_no_parameter() -> None:
    assert parameters_of(QUERY) == ["name", "x"]


def test_parameters_come_from_variables_of_their_names() -> None:
    assert from_variables(QUERY, {"name": 1, "comment": 2, "other": 3}) == {"name": 1}


def test_a_shipped_query_says_what_it_needs() -> None:
    with pytest.raises(QueryRefused, match="needs x:"):
        require_all(QUERY, {"name": None})
