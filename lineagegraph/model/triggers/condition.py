"""Conditions of triggers: leaves, and operators over them.

A leaf yields *occurrences*. An event in time (a run's status, a version, an event, a time) is one;
a state that holds (fresh, absent) is one from the moment it begins until it ends. `&`, `|` and `~`
join conditions; every condition has a JSON form, tagged by `on`.
"""

from __future__ import annotations

from typing import Any, Literal, Self

import msgspec

from lineagegraph.errors import InvalidRule
from lineagegraph.model.runs.states import RunState
from lineagegraph.model.triggers.predicate import Comparison, Predicate
from lineagegraph.text import Duration, read_duration


class Condition(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One node of a condition tree."""

    def __and__(self, other: AnyCondition) -> And:
        return And(operands=(*_flat(And, self), *_flat(And, other)))

    def __or__(self, other: AnyCondition) -> Or:
        return Or(operands=(*_flat(Or, self), *_flat(Or, other)))

    def __invert__(self) -> Not:
        return Not(operand=self)  # type: ignore[arg-type]  # every subclass is in AnyCondition


class Timed(Condition, frozen=True, kw_only=True):
    """A condition with an optional time bound, in seconds.

    Occurrences count until they are that old; the operands' occurrences chosen by an operator lie
    no further apart.
    """

    # largest age and distance of the occurrences in seconds; None for no bound
    within_seconds: float | None = msgspec.field(default=None, name="within")

    def within(self, span: Duration) -> Self:
        """Return the condition with a bound, such as `6h`."""
        return msgspec.structs.replace(self, within_seconds=_span("within", span))


class Happening(Timed, frozen=True, kw_only=True):
    """A leaf for events in time: with predicates on the payload, and a required count."""

    # predicates that a payload must meet, all of them
    where_: tuple[Predicate, ...] = msgspec.field(default=(), name="where")
    count: int = 1  # occurrences that make it true

    def where(self, *predicates: Predicate, **equals: Any) -> Self:
        """Return the leaf restricted to matching payloads; `region="EU"` tests equality."""
        plain = [
            Predicate(key=key, test=Comparison.EQUALS, value=value) for key, value in equals.items()
        ]
        return msgspec.structs.replace(self, where_=(*self.where_, *predicates, *plain))

    def times(self, count: int) -> Self:
        """Return the leaf with a required count; for a dataset, of different partitions."""
        return msgspec.structs.replace(self, count=count)


class OnStatus(Happening, frozen=True, kw_only=True, tag="status", tag_field="on"):
    """A run of a job reached one of the states.

    `type`, `application` and `version` are CDAP's terms: WORKFLOW is a pipeline, SPARK a task.
    """

    job: str  # full name of the job
    statuses: tuple[RunState, ...]  # states that count
    namespace: str | None = None  # namespace of the job; None for that of the started job
    type: str | None = None  # WORKFLOW or SPARK; None for any
    application: str | None = None  # project of the job; None for any
    version: str | None = None  # hash of the job's version; None for any


class OnUpstream(Happening, frozen=True, kw_only=True, tag="upstream", tag_field="on"):
    """A run of any job within a number of lineage hops upstream reached one of the states.

    A hop is from a job over a dataset to the next; the default job is the one that is started.
    """

    hops: int
    statuses: tuple[RunState, ...]
    job: str | None = None
    namespace: str | None = None


class OnDataset(Happening, frozen=True, kw_only=True, tag="dataset", tag_field="on"):
    """A new version of a dataset was written; with a count, of as many different partitions.

    With `quality`, it counts from the moment at which all assertions about it have passed.
    """

    namespace: str
    name: str
    quality: Literal["passed"] | None = None


class OnEvent(Happening, frozen=True, kw_only=True, tag="event", tag_field="on"):
    """A named external event was reported."""

    name: str


class OnCron(Condition, frozen=True, kw_only=True, tag="cron", tag_field="on"):
    """A time of a cron expression (five fields) was reached, in a time zone."""

    cron: str
    zone: str


class OnInterval(Condition, frozen=True, kw_only=True, tag="interval", tag_field="on"):
    """Another `seconds` have passed since the trigger was enabled."""

    seconds: float


class OnSensor(Timed, frozen=True, kw_only=True, tag="sensor", tag_field="on"):
    """A sensor's poke succeeded: a kind of sensor with its poke fields."""

    kind: str
    fields: dict[str, Any] = {}
    poke_interval: float = 60.0
    poke_backoff: float = 1.0
    max_poke_interval: float = 3600.0


class OnFresh(Condition, frozen=True, kw_only=True, tag="fresh", tag_field="on"):
    """The latest success of a job, or the latest version of a dataset, is recent enough."""

    of: OnStatus | OnDataset
    max_age: float


class OnAbsent(Condition, frozen=True, kw_only=True, tag="absent", tag_field="on"):
    """No occurrence of a leaf for a number of seconds."""

    of: OnStatus | OnDataset | OnEvent
    for_seconds: float = msgspec.field(name="for")


class And(Timed, frozen=True, kw_only=True, tag="and", tag_field="on"):
    """Every operand is true."""

    operands: tuple[AnyCondition, ...]


class Or(Timed, frozen=True, kw_only=True, tag="or", tag_field="on"):
    """At least one operand is true."""

    operands: tuple[AnyCondition, ...]


class AtLeast(Timed, frozen=True, kw_only=True, tag="at_least", tag_field="on"):
    """At least `count` of the operands are true."""

    count: int
    operands: tuple[AnyCondition, ...]


class Sequence(Timed, frozen=True, kw_only=True, tag="sequence", tag_field="on"):
    """The operands became true in this order, by their event times."""

    operands: tuple[AnyCondition, ...]


class Not(Condition, frozen=True, kw_only=True, tag="not", tag_field="on"):
    """The operand has not happened; used beside an occurrence, in an `and`."""

    operand: AnyCondition


Operator = And | Or | AtLeast | Sequence
Happens = OnStatus | OnUpstream | OnDataset | OnEvent | OnSensor | OnCron | OnInterval
Leaf = Happens | OnFresh | OnAbsent
AnyCondition = Leaf | Operator | Not


def tag_of(one: msgspec.Struct) -> str:
    """Return the tag of a condition's or constraint's kind in JSON."""
    return str(type(one).__struct_config__.tag)


def operands_of(condition: AnyCondition) -> tuple[AnyCondition, ...]:
    """Return the operands of a condition."""
    if isinstance(condition, Not):
        return (condition.operand,)
    return condition.operands if isinstance(condition, Operator) else ()


def leaves_of(condition: AnyCondition) -> list[Leaf]:
    """Return the leaves of a tree, from left to right."""
    below = operands_of(condition)
    if not below:
        return [condition] if isinstance(condition, Leaf) else []
    return [leaf for operand in below for leaf in leaves_of(operand)]


def _flat(operator: type[And] | type[Or], condition: Condition) -> tuple[AnyCondition, ...]:
    """Return the operands, with those of an equal operator without its own bound merged in."""
    if isinstance(condition, operator) and condition.within_seconds is None:
        return condition.operands
    return (condition,)  # type: ignore[return-value]  # every subclass is in AnyCondition


def _span(what: str, span: Duration) -> float:
    seconds = read_duration(span)
    if not seconds:
        raise InvalidRule(f"{what} {span!r} is not a duration: write it as '30s', '10m' or '6h'")
    return seconds
