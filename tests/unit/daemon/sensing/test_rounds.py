"""Rounds look at what came since the last one, and now and then at everything."""

from datetime import UTC, datetime, timedelta

from lineagegraph.sensing.rounds import Rounds

T0 = datetime(2026, 3, 1, tzinfo=UTC)


def at(seconds: float) -> datetime:
    return T0 + timedelta(seconds=seconds)


def test_every_half_minute_a_round_looks_at_everything() -> None:
    rounds = Rounds()
    whole = []
    for second in range(100):
        one = rounds.begin(at(second))
        assert one.since in (None, at(second - 1))
        if one.since is None:
            whole.append(second)
        assert rounds.end(one, at(second))
    assert whole == [0, 31, 62, 93]


def test_a_round_looks_at_everything_after_the_clock_was_put_back() -> None:
    rounds = Rounds()
    rounds.end(rounds.begin(at(3600)), at(3600))
    assert rounds.begin(at(10)).since is None


def test_a_round_during_which_all_began_anew_does_not_count() -> None:
    rounds = Rounds()
    for seconds in (1, 2):
        one = rounds.begin(at(seconds))
        rounds.reset()
        assert not rounds.end(one, at(seconds))
        assert rounds.begin(at(3)).since is None
    rounds.end(rounds.begin(at(3)), at(3))
    one = rounds.begin(at(4))
    rounds.reset()
    rounds.end(one, at(4))
    assert rounds.begin(at(5)).since is None
