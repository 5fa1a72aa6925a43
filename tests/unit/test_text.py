"""Durations have one spelling, which is read back."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lineagegraph.text import (
    describe_error,
    format_age,
    format_count,
    format_duration,
    headline,
    read_duration,
    signal_name,
)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "0s"),
        (0.25, "0.25s"),
        (4.2, "4.2s"),
        (90, "1m 30s"),
        (3600, "1h"),
        (86_400, "1d"),
        (97_200, "1d 3h"),
        (90_061.5, "1d 1h 1m 1.5s"),
        (-300, "-5m"),
    ],
)
def test_a_duration_has_one_spelling(seconds: float, text: str) -> None:
    assert format_duration(seconds) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (None, "never"),
        (-1, "0s"),
        (4.23, "4.2s"),
        (59.96, "1m"),
        (7_384, "2h 3m"),
        (97_265, "1d 3h"),
    ],
)
def test_an_age_has_its_two_largest_units(seconds: float | None, text: str) -> None:
    assert format_age(seconds) == text


@given(st.integers(min_value=0, max_value=10**12))
def test_what_is_written_is_read_back(milliseconds: int) -> None:
    assert read_duration(format_duration(milliseconds / 1000)) == pytest.approx(milliseconds / 1000)


@pytest.mark.parametrize(
    ("duration", "seconds"),
    [
        ("500ms", 0.5),
        ("1.5h", 5400),
        ("1h30m", 5400),
        (" 2d 12h ", 216_000),
        ("4w", 2_419_200),
        (3, 3.0),
        (timedelta(minutes=1), 60.0),
    ],
)
def test_a_duration_is_read(duration: object, seconds: float) -> None:
    assert read_duration(duration) == seconds


@pytest.mark.parametrize(
    "duration", ["", "5", "5 days", "30m 1h", "1h 2h", "-5s", -1, True, None, 1e400]
)
def test_what_is_no_duration_is_none(duration: object) -> None:
    assert read_duration(duration) is None


def test_things_are_counted() -> None:
    counts = (0, "0 rows"), (1, "1 row"), (2_000, "2,000 rows")
    for number, text in counts:
        assert format_count(number, "row") == text


def test_an_error_of_java_is_described_by_what_java_says() -> None:
    class Py4JJavaError(Exception): ...

    error = Py4JJavaError(
        "An error occurred while calling o129.parquet.\n"
        ": java.io.IOException: No space left on device\n\tat a.B\n\t... 1 more\n"
    )
    text = describe_error(error)
    assert headline(text).endswith("Py4JJavaError: java.io.IOException: No space left on device")
    assert text.endswith("... 1 more")


def test_a_headline_is_the_line_that_names_the_error() -> None:
    with pytest.raises(SyntaxError) as found:
        compile("a b", "x.py", "exec")
    assert headline(describe_error(found.value)).startswith("SyntaxError: invalid syntax")
    assert headline(f"load: {describe_error(found.value)}").startswith("SyntaxError: ")
    assert headline(describe_error(ValueError("no table\n+- plan"))) == "ValueError: no table"


def test_a_signal_without_a_name_is_told_by_its_number() -> None:
    assert (signal_name(9), signal_name(40)) == ("SIGKILL", "signal 40")
