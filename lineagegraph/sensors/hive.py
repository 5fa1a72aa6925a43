"""Names of partitions as Hive and Spark write folders: `day=2026-01-01/hour=3`."""

from collections.abc import Mapping
from itertools import permutations
from urllib.parse import quote

from lineagegraph.errors import InvalidSensor

_MOST_KEYS = 4
_SAFE = " !$&()+,;<>@|`~"
"""Characters of values that Hive writes as they are, besides letters, digits, `_`, `.` and `-`."""

Spec = str | dict[str, str | int]


def checked_spec(said: Spec) -> Spec:
    """Return a partition in its canonical spelling: as text if the order of its keys is known."""
    if isinstance(said, str):
        return _checked_text(said.strip("/"))
    if not said:
        raise InvalidSensor("partition is empty: give one such as day=2026-01-01")
    if len(said) > _MOST_KEYS:
        raise InvalidSensor(
            f"partition has {len(said)} keys: give them as text in their order, such as a=1/b=2"
        )
    values = {_checked_key(key): str(value) for key, value in said.items()}
    return _named(values) if len(values) == 1 else dict(values)


def names_of(said: Spec) -> list[str]:
    """Return the possible names of a partition, because a map has no order of keys."""
    if isinstance(said, str):
        return [said]
    return [_named(dict(pairs)) for pairs in permutations(said.items())]


def _named(values: Mapping[str, str | int]) -> str:
    return "/".join(f"{key}={_escaped(str(value))}" for key, value in values.items())


def _escaped(value: str) -> str:
    """Only ASCII is escaped, and `~` and the like are not."""
    return "".join(one if ord(one) > 127 else quote(one, safe=_SAFE) for one in value)


def _checked_text(text: str) -> str:
    for part in text.split("/"):
        key, equals, value = part.partition("=")
        if not (equals and value and _checked_key(key)):
            raise InvalidSensor(f"partition {text!r}: write it as day=2026-01-01/hour=3")
    return text


def _checked_key(key: str) -> str:
    if not key or set(key) & set("/=\0") or key in (".", ".."):
        raise InvalidSensor(f"partition: {key!r} is not a valid key")
    return key
