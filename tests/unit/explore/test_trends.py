"""Trends of runs that are read in any order."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from lineagegraph.queries.analysis.trends import make_trend
from lineagegraph.store.lineage.trends import MeasuredRun

MONDAY = datetime(2026, 3, 2, tzinfo=UTC)
seconds = st.lists(st.sampled_from([60.0, 61.0, 120.0, 900.0]), min_size=1, max_size=40)


@given(seconds, st.randoms(use_true_random=False))
def test_the_order_of_the_input_does_not_matter(values: list[float], chance: object) -> None:
    runs = [
        # Two runs of one time keep an order of their own.
        MeasuredRun("k", f"{n:03}", MONDAY + timedelta(days=n // 2), value, None, round(value))
        for n, value in enumerate(values)
    ]
    found = make_trend("default", "load", "seconds", runs)
    chance.shuffle(runs)  # type: ignore[attr-defined]
    assert make_trend("default", "load", "seconds", runs) == found
    assert [point.value for point in found.points] == values
    assert len(found.changes) == max(len(found.levels) - 1, 0)
    for change, level in zip(found.changes, found.levels[1:], strict=True):
        assert (change.at, change.after) == (level.since, level.middle)
