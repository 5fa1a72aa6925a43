"""Waiting is bounded, and what comes together stays together."""

from lineagegraph.http.ingest.received import Received
from lineagegraph.http.ingest.waiting import Submission, WaitingRoom
from lineagegraph.ingest.batch import Batch


def make(count: int, size: int = 1) -> Submission:
    return Submission([Received({}, Batch(), [], size) for _ in range(count)])


def test_more_than_the_room_holds_is_turned_away() -> None:
    room = WaitingRoom(3, 100)
    assert [room.put(make(2)), room.put(make(2)), room.put(make(1))] == [True, False, True]


def test_large_events_fill_the_room_by_their_bytes() -> None:
    room = WaitingRoom(100, 1000)
    assert [room.put(make(2, size)) for size in (300, 300, 200)] == [True, False, True]
    room.take(2, 0)
    assert room.put(make(1, 600))


def test_an_empty_room_takes_any_number() -> None:
    assert WaitingRoom(1, 1).put(make(5))


def test_a_group_is_what_waits_up_to_its_size_in_order() -> None:
    room = WaitingRoom(100, 100)
    submissions = [make(count) for count in (3, 4, 5)]
    for submission in submissions:
        room.put(submission)
    assert room.take(8, 0) == submissions[:2]
    assert room.take(1, 0) == submissions[2:]
    assert room.take(8, 0) == []


def test_what_was_taken_makes_room() -> None:
    room = WaitingRoom(2, 100)
    room.put(make(2))
    room.take(10, 0)
    assert room.put(make(2))
    assert not room.put(make(1))


def test_what_was_given_up_is_left_out_and_makes_room() -> None:
    room = WaitingRoom(3, 100)
    kept, given_up = make(1), make(2)
    room.put(given_up)
    room.put(kept)
    given_up.outcomes.cancel()
    assert room.take(8, 0) == [kept]
    assert room.put(make(3))
