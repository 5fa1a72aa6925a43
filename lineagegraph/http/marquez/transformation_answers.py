"""Transformations of columns, the strongest first."""

from collections.abc import Iterable
from typing import Annotated, Protocol

from lineagegraph.http.plumbing.answers import AnswerStruct, Timestamp, about

# Values that stay the same, then values made from others, then values of several rows.
_SUBTYPES = ("IDENTITY", "TRANSFORMATION", "AGGREGATION")


class TransformationAnswer(AnswerStruct):
    """A transformation of a column into another."""

    type: Annotated[
        str, about("DIRECT if values flow; INDIRECT if it filters, joins, sorts or groups.")
    ]
    subtype: Annotated[str | None, about("Its kind, such as IDENTITY; null if not reported.")]
    description: Annotated[str | None, about("Its description; null if not reported.")]
    masking: Annotated[bool, about("Whether it masks the values, such as by a hash.")]
    first_seen: Annotated[
        Timestamp | None, about("Time of the first report; null for versions or at a time.")
    ]
    last_seen: Annotated[
        Timestamp | None, about("Time of the last report; null for versions or at a time.")
    ]

    @property
    def strength(self) -> tuple[bool, int]:
        """Return a key that sorts DIRECT before INDIRECT, and then by subtype."""
        rank = _SUBTYPES.index(self.subtype) if self.subtype in _SUBTYPES else len(_SUBTYPES)
        return self.type != "DIRECT", rank

    @property
    def kind(self) -> str:
        """Return the subtype, or the type without one."""
        return self.subtype or self.type


class Transformed(Protocol):
    """A row with a transformation."""

    @property
    def type(self) -> str: ...
    @property
    def subtype(self) -> str | None: ...
    @property
    def description(self) -> str | None: ...
    @property
    def masking(self) -> bool: ...
    @property
    def first_seen(self) -> Timestamp | None: ...
    @property
    def last_seen(self) -> Timestamp | None: ...


def transformation_answers(rows: Iterable[Transformed]) -> list[TransformationAnswer]:
    """Return each transformation once, the strongest first, with its first and last time."""
    found: dict[tuple[str, str, str, bool], list[Transformed]] = {}
    for row in rows:
        how = (row.type, row.subtype or "", row.description or "", row.masking)
        found.setdefault(how, []).append(row)
    answers = (_answer(how, same) for how, same in sorted(found.items(), key=lambda item: item[0]))
    return sorted(answers, key=lambda one: one.strength)


def _answer(how: tuple[str, str, str, bool], same: list[Transformed]) -> TransformationAnswer:
    type_, subtype, description, masking = how
    return TransformationAnswer(
        type=type_,
        subtype=subtype or None,
        description=description or None,
        masking=masking,
        first_seen=min((row.first_seen for row in same if row.first_seen), default=None),
        last_seen=max((row.last_seen for row in same if row.last_seen), default=None),
    )
