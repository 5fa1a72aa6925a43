"""Values in SQL are literals, wherever they stand, and never code."""

import pytest

from lineagegraph.execution.kinds.sql_work import statements

PARAMS = {"day": "2026-01-01", "name": "o'x\\", "n": 3}


def only(sql):
    [statement] = statements(sql, PARAMS)
    return statement


def test_a_parameter_is_bound_by_name():
    assert only("select * from a where d = {day} and n < :n") == (
        "select * from a where d = :day and n < :n",
        {"day": "2026-01-01", "n": 3},
    )


def test_in_quotes_it_is_escaped_text():
    assert only("select 'of {name}', \"{day}\"")[0] == "select 'of o\\'x\\\\', \"2026-01-01\""
    assert only("select * from `t_{name}`")[0] == "select * from `t_o'x\\`"


@pytest.mark.parametrize("sql", ["select '{x}', rlike(a, '^a{2}')", "select a::int /* {day} */"])
def test_what_is_no_parameter_stays(sql):
    assert only(sql) == (sql, {})


def test_semicolons_separate_statements_but_not_in_quotes_or_comments():
    found = statements("-- one; two\nset x = 1; select ';' -- and; so\n; ; -- end\n", PARAMS)
    assert [text for text, _ in found] == ["-- one; two\nset x = 1", "select ';' -- and; so"]
