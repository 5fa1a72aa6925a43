"""Levels and outliers of rows of numbers."""

import random
from itertools import pairwise
from statistics import median

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lineagegraph.queries.analysis.levels import FAR, find_levels, score

numbers = st.lists(st.floats(0.1, 1e6), max_size=40)


@given(numbers)
def test_levels_cover_all_numbers_once_and_in_their_order(values: list[float]) -> None:
    levels = find_levels(values)
    covered = [number for level in levels for number in range(level.start, level.end)]
    assert covered == list(range(len(values)))
    for level in levels:
        assert level.middle == median(values[level.start : level.end])


@given(numbers, st.floats(0.5, 100))
def test_what_is_measured_in_other_units_has_the_same_levels(
    values: list[float], factor: float
) -> None:
    rounded = [round(value) for value in values]
    other = [value * 2 ** round(factor % 8) for value in rounded]
    ends = [(level.start, level.end) for level in find_levels(rounded)]
    assert [(level.start, level.end) for level in find_levels(other)] == ends


@given(st.floats(0.1, 1e6), st.integers(1, 40))
def test_what_is_always_the_same_has_one_level_and_no_outliers(value: float, count: int) -> None:
    (level,) = find_levels([value] * count)
    assert score(value, level) == 0


@given(
    st.lists(st.floats(0.96, 1.04), min_size=10, max_size=40),
    st.lists(st.floats(0.96, 1.04), min_size=10, max_size=40),
    st.floats(1.5, 20) | st.floats(0.05, 0.6),
    st.floats(0.1, 1e5),
)
def test_a_step_is_found_where_it_is(
    before: list[float], after: list[float], factor: float, usual: float
) -> None:
    values = [usual * value for value in before] + [usual * factor * value for value in after]
    assert [level.start for level in find_levels(values)] == [0, len(before)]


@given(
    st.lists(st.floats(0.96, 1.04), min_size=12, max_size=30),
    st.lists(st.floats(0.96, 1.04), min_size=12, max_size=30),
    st.floats(10, 1000),
    st.data(),
)
def test_a_few_outliers_neither_hide_nor_make_a_step(
    before: list[float], after: list[float], far: float, data: st.DataObject
) -> None:
    values = [*before, *(3 * value for value in after)]
    for at in data.draw(st.sets(st.sampled_from(range(len(values))), max_size=2)):
        values[at] *= far
    levels = find_levels(values)
    assert len(levels) == 2
    assert abs(levels[1].start - len(before)) <= 2


@given(st.lists(st.floats(0.96, 1.04), max_size=60), st.floats(0.1, 1e6))
def test_noise_of_less_than_a_tenth_has_no_step(noise: list[float], usual: float) -> None:
    assert len(find_levels([usual * value for value in noise])) == min(len(noise), 1)


@pytest.mark.parametrize("size", [20, 60, 100])
def test_strong_noise_has_a_step_in_less_than_a_twentieth_of_the_cases(size: int) -> None:
    series = [[random.Random(seed).gauss(100, 30) for _ in range(size)] for seed in range(100)]
    assert sum(len(find_levels(values)) > 1 for values in series) < 5


@given(st.lists(st.sampled_from([1.0, 1.1, 2.0, 2.3, 5.0, 40.0]), max_size=60))
def test_each_level_differs_from_the_one_before_by_more_than_a_tenth(values: list[float]) -> None:
    for before, then in pairwise(find_levels(values)):
        assert abs(then.middle - before.middle) > 0.1 * max(then.middle, before.middle)


def test_a_job_that_was_slow_for_a_week_has_three_levels() -> None:
    usual = [60, 61, 59, 62, 60, 58, 61, 60, 59, 60.0]
    slow = [120, 121, 119, 122, 120, 118, 120.0]
    found = find_levels([*usual, *slow, *usual])
    assert [(level.start, level.middle) for level in found] == [(0, 60), (10, 120), (17, 60)]


def outliers(values: list[float]) -> list[int]:
    return [
        number
        for level in find_levels(values)
        for number in range(level.start, level.end)
        if abs(score(values[number], level)) > FAR
    ]


def test_one_run_that_took_much_longer_is_an_outlier_and_no_level() -> None:
    values = [60, 61, 59, 62, 60, 300, 61, 60, 58, 60, 61.0]
    assert len(find_levels(values)) == 1
    assert outliers(values) == [5]


def test_a_job_that_became_slow_has_a_new_level_in_which_slow_is_usual() -> None:
    values = [60, 61, 59, 62, 60, 58, 121, 119, 120, 122, 118, 120.0]
    assert [(level.start, level.middle) for level in find_levels(values)] == [(0, 60), (6, 120)]
    assert outliers(values) == []


def test_a_job_that_is_slower_on_sundays_has_one_level() -> None:
    assert len(find_levels([60, 60, 60, 60, 60, 60, 180.0] * 8)) == 1


@pytest.mark.parametrize("last", [64.0, 56.0])
def test_what_differs_by_less_than_a_tenth_is_no_outlier_however_steady_the_rest_is(
    last: float,
) -> None:
    assert outliers([60.0] * 20 + [last]) == []


def test_what_differs_from_numbers_that_are_all_the_same_is_an_outlier() -> None:
    assert outliers([60.0] * 20 + [90.0]) == [20]
