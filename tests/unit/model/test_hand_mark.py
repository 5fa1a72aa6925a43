"""A mark by hand decides the state of a run that has ended, until it starts again."""

from hypothesis import given
from hypothesis import strategies as st

from lineagegraph.model.runs.facts import RunFacts, Stamped, TimeSpan
from lineagegraph.model.runs.hand_mark import BY_HAND
from lineagegraph.model.runs.states import FINAL, EventType, RunState


def at(minute: int) -> str:
    return f"2026-01-01T00:0{minute}:00+00:00"


def event(kind: EventType, minute: int) -> RunFacts:
    return RunFacts(times={kind: TimeSpan(at(minute), at(minute))})


def mark(state: str | None, minute: int) -> RunFacts:
    value = [state, "checked by hand", "ann"] if state else None
    return RunFacts(said={BY_HAND: Stamped(1, at(minute), value)})


EVENTS = st.builds(event, st.sampled_from(EventType), st.integers(0, 9))
MARKS = st.builds(mark, st.sampled_from(["COMPLETED", "FAILED", None]), st.integers(0, 9))


def joined(parts: list[RunFacts]) -> RunFacts:
    whole = RunFacts()
    for part in parts:
        whole |= part
    return whole


FAILED = [event(EventType.START, 1), event(EventType.FAIL, 2)]


def test_a_failed_run_marked_completed_is_completed_with_what_it_was() -> None:
    run = joined([*FAILED, mark("COMPLETED", 3)])
    assert run.state is RunState.COMPLETED
    assert run.completed_at == at(3)
    assert run.hand_mark is not None
    assert run.hand_mark.text == "was FAILED; marked by ann: checked by hand"


def test_the_latest_mark_counts_and_taking_it_back_restores_the_run() -> None:
    assert joined([*FAILED, mark("COMPLETED", 3), mark(None, 4)]).state is RunState.FAILED
    completed = [event(EventType.COMPLETE, 2), mark("FAILED", 3)]
    assert joined(completed).state is RunState.FAILED
    assert joined([*completed, mark(None, 4)]).state is RunState.COMPLETED
    assert joined([*completed, mark(None, 4)]).completed_at == at(2)


def test_a_late_report_of_the_same_end_does_not_take_a_mark_away() -> None:
    run = joined([*FAILED, mark("COMPLETED", 3), event(EventType.FAIL, 4)])
    assert run.state is RunState.COMPLETED


def test_a_run_that_starts_again_is_no_longer_marked() -> None:
    again = [*FAILED, mark("COMPLETED", 3), event(EventType.START, 4)]
    assert joined(again).state is RunState.FAILED
    assert joined([*again, event(EventType.COMPLETE, 5)]).hand_mark is None


def test_a_mark_ends_no_run() -> None:
    assert joined([event(EventType.START, 1), mark("FAILED", 2)]).state is RunState.RUNNING
    assert joined([mark("FAILED", 2)]).state is RunState.PENDING


@given(events=st.lists(EVENTS, max_size=6), marks=st.lists(MARKS, max_size=3), order=st.randoms())
def test_order_and_repetition_of_events_and_marks_make_no_difference(
    events: list[RunFacts], marks: list[RunFacts], order: object
) -> None:
    parts = [*events, *marks]
    again = parts + parts[::2]
    order.shuffle(again)  # type: ignore[attr-defined]
    assert joined(again) == joined(parts)
    assert joined(again).state is joined(parts).state


@given(events=st.lists(EVENTS, max_size=6), marks=st.lists(MARKS, max_size=3))
def test_a_marked_run_has_ended_with_and_without_its_mark(
    events: list[RunFacts], marks: list[RunFacts]
) -> None:
    run = joined([*events, *marks])
    assert (run.state in FINAL) == (run.own_state in FINAL)
    assert (run.completed_at is None) == (run.state is not RunState.COMPLETED)
