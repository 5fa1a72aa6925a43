"""Parameters: types from defaults, and values from text."""

from datetime import date, datetime

import pytest

import lineagegraph as lg
from lineagegraph.errors import InvalidParameter
from lineagegraph.model.pipelines.parameters import resolve_params

PIPELINE = lg.pipeline(
    "nyc.delays",
    tasks=[lg.command("a", ["true"])],
    params={
        "month": int,
        "rate": 0.5,
        "full": False,
        "day": date(2024, 2, 29),
        "at": datetime(2024, 2, 29, 12, 30),  # noqa: DTZ001
        "carriers": ["AA"],
        "note": lg.param(str, default=None),
    },
).definition


def test_types_are_taken_from_defaults():
    types = {parameter.name: parameter.type for parameter in PIPELINE.parameters}
    assert types == {
        "month": "int",
        "rate": "float",
        "full": "bool",
        "day": "date",
        "at": "datetime",
        "carriers": "list",
        "note": "str",
    }


def test_defaults_fill_what_is_not_given():
    assert resolve_params(PIPELINE, {"month": 3}) == {
        "month": 3,
        "rate": 0.5,
        "full": False,
        "day": "2024-02-29",
        "at": "2024-02-29T12:30:00",
        "carriers": ["AA"],
        "note": None,
    }


def test_text_from_the_command_line_becomes_values():
    given = {"month": "3", "rate": "1", "full": "true", "day": "2024-03-01", "carriers": '["BB"]'}
    resolved = resolve_params(PIPELINE, given)
    assert (
        resolved
        | {
            "month": 3,
            "rate": 1.0,
            "full": True,
            "day": "2024-03-01",
            "carriers": ["BB"],
        }
        == resolved
    )


def test_a_time_needs_no_seconds():
    assert resolve_params(PIPELINE, {"month": 1, "at": "2026-02-03T04:05"})["at"] == (
        "2026-02-03T04:05:00"
    )


def test_a_parameter_of_any_json_takes_any():
    pipeline = lg.pipeline(
        "any", tasks=[lg.command("a", ["true"])], params={"given": lg.param(object)}
    ).definition
    for text, value in (("5", 5), ("[1]", [1]), ('{"a": 1}', {"a": 1}), ('"x"', "x")):
        assert resolve_params(pipeline, {"given": text}) == {"given": value}


def test_resolved_values_resolve_to_themselves():
    once = resolve_params(PIPELINE, {"month": "3", "note": "x"})
    assert resolve_params(PIPELINE, once) == once


WRONG = [
    ({}, "parameter month of nyc.delays: missing; give month=… (int)"),
    ({"month": "x"}, "parameter month of nyc.delays: expected int, got 'x'"),
    ({"month": True}, "expected int, got True"),
    ({"month": None}, "expected int, got None"),
    ({"month": 1, "rate": "nan"}, "expected float, got 'nan'"),
    ({"month": 1, "full": "maybe"}, "expected bool, got 'maybe'"),
    ({"month": 1, "day": "2023-02-29"}, "expected date, got '2023-02-29'"),
    ({"month": 1, "carriers": "{"}, "expected JSON, got '{'"),
    ({"month": 1, "carriers": "5"}, "parameter carriers of nyc.delays: expected list, got 5"),
    ({"month": 1, "carriers": '{"a": 1}'}, "expected list, got {'a': 1}"),
    ({"month": 1, "at": "2026-02-03T25:05"}, "expected datetime, got '2026-02-03T25:05'"),
    ({"month": 1, "note": 3}, "expected str, got 3"),
    ({"month": 2**64}, "month of nyc.delays: integers have at most 64 bits, got 18446744073709"),
    ({"month": 1, "carriers": "[18446744073709551616]"}, "integers have at most 64 bits, got"),
    ({"month": "100000000000000000000"}, "integers have at most 64 bits, got 1000"),
    ({"month": 1, "note": "\udcff"}, r"note of nyc.delays: text has to be Unicode, got '\udcff'"),
    ({"month": 1, "year": 2}, "parameter year of nyc.delays: unknown; it has month, rate"),
]


@pytest.mark.parametrize(("given", "says"), WRONG, ids=[says for _, says in WRONG])
def test_wrong_values_are_refused_in_one_line(given, says):
    with pytest.raises(InvalidParameter) as error:
        resolve_params(PIPELINE, given)
    assert says in str(error.value)
    assert "\n" not in str(error.value)
