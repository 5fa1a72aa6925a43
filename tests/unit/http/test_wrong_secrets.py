"""Wrong secrets are looked up a few times a second for each address."""

import pytest

from lineagegraph.http.access.challenges import invalid
from lineagegraph.http.access.wrong_secrets import WrongSecrets
from lineagegraph.http.plumbing.refusal import RequestRefused


class Clock:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_an_address_is_limited_for_a_moment_and_others_are_not() -> None:
    clock = Clock()
    wrong = WrongSecrets(clock)
    for number in range(100):
        assert wrong.is_quick(str(number), "a")
        wrong.note(str(number), "a", invalid("unknown"))
    assert not wrong.is_quick("next", "a")
    assert wrong.is_quick("next", "b")
    clock.now += 0.2
    assert wrong.is_quick("next", "a")


def test_an_address_is_quick_again_soon_however_many_wrong_ones_it_sent() -> None:
    clock = Clock()
    wrong = WrongSecrets(clock)
    for number in range(10_000):
        wrong.note(str(number), "a", invalid("unknown"))
    clock.now += 11
    assert wrong.is_quick("next", "a")


def test_a_wrong_secret_is_known_to_be_wrong_for_two_seconds() -> None:
    clock = Clock()
    wrong = WrongSecrets(clock)
    wrong.note("x", "a", invalid("the session is over"))
    with pytest.raises(RequestRefused, match="the session is over"):
        wrong.is_quick("x", "b")
    clock.now += 2.1
    wrong.is_quick("x", "b")


def test_no_more_than_a_thousand_are_remembered() -> None:
    wrong = WrongSecrets(Clock())
    for number in range(5_000):
        wrong.note(str(number), str(number), invalid("unknown"))
    assert wrong.is_quick("0", "0")
    with pytest.raises(RequestRefused):
        wrong.is_quick("4999", "z")
