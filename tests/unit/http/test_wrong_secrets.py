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
        wrong.admit(str(number), "a")
        wrong.note(str(number), "a", invalid("unknown"))
    with pytest.raises(RequestRefused) as refused:
        wrong.admit("next", "a")
    assert (refused.value.status, refused.value.headers["Retry-After"]) == (429, "1")
    wrong.admit("next", "b")
    clock.now += 0.2
    wrong.admit("next", "a")


def test_a_wrong_secret_is_known_to_be_wrong_for_two_seconds() -> None:
    clock = Clock()
    wrong = WrongSecrets(clock)
    wrong.note("x", "a", invalid("the session is over"))
    with pytest.raises(RequestRefused, match="the session is over"):
        wrong.admit("x", "b")
    clock.now += 2.1
    wrong.admit("x", "b")


def test_no_more_than_a_thousand_are_remembered() -> None:
    wrong = WrongSecrets(Clock())
    for number in range(5_000):
        wrong.note(str(number), str(number), invalid("unknown"))
    wrong.admit("0", "0")
    with pytest.raises(RequestRefused):
        wrong.admit("4999", "z")
