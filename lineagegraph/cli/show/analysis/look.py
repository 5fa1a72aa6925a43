"""How seconds look."""

from datetime import timedelta

from lineagegraph.cli.formatting import seconds


def took_text(number: float | None) -> str:
    """Return seconds as people write them."""
    return "" if number is None else seconds(timedelta(seconds=number))
