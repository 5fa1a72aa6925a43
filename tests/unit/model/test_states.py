"""A run's state follows from the latest event time of each type, and from nothing else."""

from hypothesis import given
from hypothesis import strategies as st

from lineagegraph.model.runs.states import FINAL, EventType, RunState, derive_state

Event = tuple[EventType, int]
EVENTS = st.lists(st.tuples(st.sampled_from(EventType), st.integers(0, 9)), max_size=12)


def settle(events: list[Event]) -> RunState:
    latest: dict[EventType, str] = {}
    for kind, minute in events:
        latest[kind] = max(latest.get(kind, ""), f"2026-01-01T00:0{minute}")
    return derive_state(latest)


@given(events=EVENTS, order=st.randoms())
def test_order_and_repetition_make_no_difference(events: list[Event], order: object) -> None:
    again = events + events[: len(events) // 2]
    order.shuffle(again)  # type: ignore[attr-defined]
    assert settle(again) == settle(events)


@given(events=EVENTS, minute=st.integers(0, 9))
def test_no_start_ever_reopens_a_finished_run(events: list[Event], minute: int) -> None:
    if settle(events) in FINAL:
        assert settle([*events, (EventType.START, minute)]) in FINAL


@given(events=EVENTS)
def test_a_run_is_final_exactly_when_an_end_was_reported(events: list[Event]) -> None:
    ends = {EventType.COMPLETE, EventType.FAIL, EventType.ABORT}
    assert (settle(events) in FINAL) == any(kind in ends for kind, _ in events)


def test_a_run_without_events_is_pending() -> None:
    assert settle([]) is RunState.PENDING


def test_a_run_of_which_only_other_things_were_said_is_pending() -> None:
    assert settle([(EventType.OTHER, 1)]) is RunState.PENDING
    assert settle([(EventType.OTHER, 2), (EventType.RUNNING, 1)]) is RunState.RUNNING


def test_a_started_run_is_running() -> None:
    assert settle([(EventType.START, 1)]) is RunState.RUNNING


def test_a_complete_after_a_fail_without_a_new_start_stays_failed() -> None:
    events = [(EventType.START, 1), (EventType.FAIL, 2), (EventType.COMPLETE, 3)]
    assert settle(events) is RunState.FAILED


def test_a_run_that_started_again_after_its_fail_completes() -> None:
    events = [(EventType.FAIL, 2), (EventType.START, 3), (EventType.COMPLETE, 4)]
    assert settle(events) is RunState.COMPLETED


def test_a_fail_after_a_complete_counts() -> None:
    assert settle([(EventType.COMPLETE, 1), (EventType.FAIL, 2)]) is RunState.FAILED


def test_the_later_of_fail_and_abort_counts() -> None:
    assert settle([(EventType.FAIL, 1), (EventType.ABORT, 2)]) is RunState.KILLED
    assert settle([(EventType.FAIL, 3), (EventType.ABORT, 2)]) is RunState.FAILED


def test_at_the_same_time_fail_beats_abort_and_abort_beats_complete() -> None:
    assert settle([(EventType.FAIL, 1), (EventType.ABORT, 1)]) is RunState.FAILED
    assert settle([(EventType.COMPLETE, 1), (EventType.ABORT, 1)]) is RunState.KILLED
