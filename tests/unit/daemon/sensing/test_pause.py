"""How long sensors rest."""

from hypothesis import given
from hypothesis import strategies as st

from lineagegraph.model.waits import poke_interval_after
from lineagegraph.sensing.due_queue import pause

_DRAW = st.floats(0, 1)
_INTERVAL = st.floats(0.1, 1e6)


@given(_INTERVAL, st.booleans(), _DRAW)
def test_after_an_answer_nobody_rests_longer_than_the_interval(
    interval: float, first: bool, draw: float
) -> None:
    rest = pause(interval, errors=0, first=first, draw=lambda: draw)
    assert interval * 0.49 <= rest <= interval


@given(_INTERVAL, st.integers(1, 100), _DRAW)
def test_after_errors_the_rest_grows_and_has_an_end(
    interval: float, errors: int, draw: float
) -> None:
    rest = pause(interval, errors=errors, first=False, draw=lambda: draw)
    again = pause(interval, errors=errors + 1, first=False, draw=lambda: draw)
    assert rest <= again <= max(interval, 300.0)


def test_sensors_that_fail_together_come_apart() -> None:
    rests = {pause(10.0, errors=3, first=False) for _ in range(20)}
    assert len(rests) == 20


def test_each_interval_is_the_backoff_times_the_one_before_up_to_the_longest() -> None:
    elapsed, intervals = 0.0, []
    for _ in range(7):
        interval = poke_interval_after(elapsed, interval=10, backoff=2, longest=300)
        intervals.append(interval)
        elapsed += interval
    assert intervals == [10, 20, 40, 80, 160, 300, 300]


@given(_INTERVAL, st.floats(1, 100), st.floats(0.1, 1e6), st.floats(-10, 1e6))
def test_an_interval_is_never_shorter_than_asked(
    interval: float, backoff: float, longest: float, elapsed: float
) -> None:
    found = poke_interval_after(elapsed, interval=interval, backoff=backoff, longest=longest)
    assert interval <= found <= max(interval, longest)
