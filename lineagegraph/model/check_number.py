"""Numbers that must be more than nothing."""

from lineagegraph.errors import InvalidRule


def check_positive(value: float, what: str) -> None:
    """Raise `InvalidRule` unless a number of seconds is more than 0, and has an end."""
    if not 0 < value < float("inf"):
        raise InvalidRule(f"{what} {value:g}: use more than 0 seconds")


def check_at_least_one(value: int, what: str) -> None:
    """Raise `InvalidRule` unless a count is 1 or more."""
    if value < 1:
        raise InvalidRule(f"{what} {value}: use 1 or more")
