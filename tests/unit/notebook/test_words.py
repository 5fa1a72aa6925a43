"""What stands behind the name of a magic."""

import pytest
from IPython.core.error import UsageError

from lineagegraph.notebook.magics.words import read_words, split_params, split_target


def test_a_result_can_go_to_a_variable() -> None:
    assert split_target("rides << --limit 3") == ("rides", "--limit 3")
    assert split_target("--limit 3") == (None, "--limit 3")
    assert split_target("1x << a") == (None, "1x << a")


@pytest.mark.parametrize(
    "line", ['--params {"n": 4, "all": null}', "--write --params {'n': m, 'all': None}"]
)
def test_parameters_are_json_or_an_expression(line: str) -> None:
    rest, params = split_params(line, {"m": 4})
    assert params == {"n": 4, "all": None}
    assert "params" not in rest


@pytest.mark.parametrize("line", ["--params [1]", "--params nobody", "--params {"])
def test_what_are_no_parameters_is_refused(line: str) -> None:
    with pytest.raises(UsageError, match="--params"):
        split_params(line, {})


def test_words_in_quotes_are_one_and_an_open_quote_is_refused() -> None:
    said = read_words("lineage", "'my table' --up 2 --columns")
    assert (said.node, said.up, said.down, said.columns) == ("my table", 2, None, True)
    with pytest.raises(UsageError, match="quotes of the other kind"):
        read_words("lineage", "it's")
    with pytest.raises(UsageError, match="not allowed with"):
        read_words("cypher", "--graph --table")
