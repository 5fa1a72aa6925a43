"""What must be true before a trigger starts its job: leaves, and operators over them.

A leaf yields *occurrences*. What happened (a run's status, a version, an event, a time) is one;
a state that holds (fresh, absent) is one from the moment it begins until it ends. `&`, `|` and `~`
join conditions; every condition has a JSON form, tagged by `on`.
"""

from __future__ import annotations

from typing import Any, Self

import msgspec

from lineagegraph.errors import InvalidRule
from lineagegraph.model.durations import Duration, read_seconds
from lineagegraph.model.runs.states import RunState
from lineagegraph.model.triggers.predicate import Comparison, Predicate


class Condition(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One node of a condition tree."""

    def __and__(self, other: AnyCondition) -> And:
        return And(operands=(*_flat(And, self), *_flat(And, other)))

    def __or__(self, other: AnyCondition) -> Or:
        return Or(operands=(*_flat(Or, self), *_flat(Or, other)))

    def __invert__(self) -> Not:
        return Not(operand=self)  # type: ignore[arg-type]  # every subclass is in AnyCondition


class Timed(Condition, frozen=True, kw_only=True):
    """A condition that can be bounded in time, in seconds.

    What happened counts while it is not older; what an operator chooses of its operands lies no
    further apart.
    """

    within_seconds: float | None = msgspec.field(default=None, name="within")

    def within(self, span: Duration) -> Self:
        """Return the condition with a bound, such as `6h`."""
        return msgspec.structs.replace(self, within_seconds=_span("within", span))


class Happening(Timed, frozen=True, kw_only=True):
    """A leaf for what happens: with predicates on its payload, and how often it must happen."""

    where_: tuple[Predicate, ...] = msgspec.field(default=(), name="where")
    count: int = 1

    def where(self, *predicates: Predicate, **equals: Any) -> Self:
        """Return the leaf for those only whose payload passes; `region="EU"` asks for equality."""
        plain = [
            Predicate(key=key, test=Comparison.EQUALS, value=value) for key, value in equals.items()
        ]
        return msgspec.structs.replace(self, where_=(*self.where_, *predicates, *plain))

    def times(self, count: int) -> Self:
        """Return the leaf that wants as many; of a dataset, as many different partitions."""
        return msgspec.structs.replace(self, count=count)


class OnStatus(Happening, frozen=True, kw_only=True, tag="status", tag_field="on"):
    """A run of a job reached one of the states.

    `type`, `application` and `version` are CDAP's terms: WORKFLOW is a pipeline, SPARK a task.
    """

    job: str
    statuses: tuple[RunState, ...]
    namespace: str | None = None
    type: str | None = None
    application: str | None = None
    version: str | None = None


class OnUpstream(Happening, frozen=True, kw_only=True, tag="upstream", tag_field="on"):
    """A run of any job reached one of the states that feeds a job within so many lineage hops.

    A hop is from a job over a dataset to the next; without a job it is the one that is started.
    """

    hops: int
    statuses: tuple[RunState, ...]
    job: str | None = None
    namespace: str | None = None


class OnDataset(Happening, frozen=True, kw_only=True, tag="dataset", tag_field="on"):
    """A new version of a dataset was written; with a count, of as many different partitions."""

    namespace: str
    name: str


class OnEvent(Happening, frozen=True, kw_only=True, tag="event", tag_field="on"):
    """Somebody outside said that something happened, by a name."""

    name: str


class OnCron(Condition, frozen=True, kw_only=True, tag="cron", tag_field="on"):
    """A time of a cron expression (five fields) came, in a time zone."""

    cron: str
    zone: str


class OnInterval(Condition, frozen=True, kw_only=True, tag="interval", tag_field="on"):
    """Another so many seconds have gone since the trigger was enabled."""

    seconds: float


class OnSensor(Timed, frozen=True, kw_only=True, tag="sensor", tag_field="on"):
    """What a sensor looks at turned true: a kind of sensor with its poke fields."""

    kind: str
    fields: dict[str, Any] = {}
    poke_interval: float = 60.0


class OnFresh(Condition, frozen=True, kw_only=True, tag="fresh", tag_field="on"):
    """The latest success of a job, or the latest version of a dataset, is young enough."""

    of: OnStatus | OnDataset
    max_age: float


class OnAbsent(Condition, frozen=True, kw_only=True, tag="absent", tag_field="on"):
    """What a leaf waits for has not happened for so many seconds."""

    of: OnStatus | OnDataset | OnEvent
    for_seconds: float = msgspec.field(name="for")


class And(Timed, frozen=True, kw_only=True, tag="and", tag_field="on"):
    """Every operand is true."""

    operands: tuple[AnyCondition, ...]


class Or(Timed, frozen=True, kw_only=True, tag="or", tag_field="on"):
    """At least one operand is true."""

    operands: tuple[AnyCondition, ...]


class AtLeast(Timed, frozen=True, kw_only=True, tag="at_least", tag_field="on"):
    """So many of the operands are true."""

    count: int
    operands: tuple[AnyCondition, ...]


class Sequence(Timed, frozen=True, kw_only=True, tag="sequence", tag_field="on"):
    """The operands became true one after the other, by their event times."""

    operands: tuple[AnyCondition, ...]


class Not(Condition, frozen=True, kw_only=True, tag="not", tag_field="on"):
    """The operand has not happened; it stands beside what has, in an `and`."""

    operand: AnyCondition


Operator = And | Or | AtLeast | Sequence
Happens = OnStatus | OnUpstream | OnDataset | OnEvent | OnSensor | OnCron | OnInterval
Leaf = Happens | OnFresh | OnAbsent
AnyCondition = Leaf | Operator | Not


def tag_of(one: msgspec.Struct) -> str:
    """Return the word that tells a condition's or constraint's kind in JSON."""
    return str(type(one).__struct_config__.tag)


def operands_of(condition: AnyCondition) -> tuple[AnyCondition, ...]:
    """Return what stands below a condition."""
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
    """An operator without a bound of its own is one with what it is joined to."""
    if isinstance(condition, operator) and condition.within_seconds is None:
        return condition.operands
    return (condition,)  # type: ignore[return-value]  # every subclass is in AnyCondition


def _span(what: str, span: Duration) -> float:
    seconds = read_seconds(span)
    if not seconds:
        raise InvalidRule(f"{what} {span!r} is no duration: write it as '30s', '10m' or '6h'")
    return seconds
