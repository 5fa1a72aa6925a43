"""Facts reported about one run, job or dataset, as values that join in any order.

Every part is a maximum or a union of maps, so `join` is commutative, associative and idempotent:
the same reports, in any order and any number, give the same facts.
"""

from __future__ import annotations

from datetime import datetime
from functools import cached_property
from typing import Any, Literal, TypeVar

import msgspec

from lineagegraph.model.names.keys import canonical_json
from lineagegraph.model.runs.hand_mark import BY_HAND, HandMark, mark_counts
from lineagegraph.model.runs.states import (
    FINAL,
    FINAL_EVENTS,
    MARKED,
    EventType,
    RunState,
    derive_state,
)
from lineagegraph.model.typed import decode_json

SILENT = "SILENT"
STREAMING = "STREAMING"
SNAPSHOT = "COMPLETE_SNAPSHOT"

# Ranks of facts: what an event reports of its own subject counts more than what it mentions.
REPORTED = 1
HEARD_OF = 0
V = TypeVar("V")
F = TypeVar("F")


class Stamped(msgspec.Struct, frozen=True, array_like=True):
    """A value of which the latest report wins; a higher rank beats any lower one."""

    rank: int
    at: str
    value: Any

    def __or__(self, other: Stamped) -> Stamped:
        if (self.rank, self.at) != (other.rank, other.at):
            return self if (self.rank, self.at) > (other.rank, other.at) else other
        return max(self, other, key=lambda s: canonical_json(s.value))


class TimeSpan(msgspec.Struct, frozen=True, array_like=True):
    """The first and the last time of a report (ISO 8601, UTC)."""

    first: str
    last: str

    def __or__(self, other: TimeSpan) -> TimeSpan:
        return TimeSpan(min(self.first, other.first), max(self.last, other.last))


class Use(msgspec.Struct, frozen=True):
    """The use of one dataset by a run or job, with reported details (row counts, partitions …).

    `columns` has the hashes of the column lineage facets that came with it, and `schemas` those of
    the schema facets. `verdicts` has the latest verdict of each assertion, by its name and column.
    """

    namespace: str
    name: str
    span: TimeSpan
    said: dict[str, Stamped] = {}
    columns: dict[str, TimeSpan] = {}
    schemas: dict[str, TimeSpan] = {}
    verdicts: dict[str, Stamped] = {}

    def __or__(self, other: Use) -> Use:
        return Use(
            namespace=self.namespace,
            name=self.name,
            span=self.span | other.span,
            said=_union(self.said, other.said),
            columns=_union(self.columns, other.columns),
            schemas=_union(self.schemas, other.schemas),
            verdicts=_union(self.verdicts, other.verdicts),
        )

    @property
    def schema(self) -> str | None:
        """Return the hash of the latest schema."""
        return self._last_schema[1]

    @property
    def schema_at(self) -> str | None:
        """Return the time of the latest schema."""
        return self._last_schema[0]

    @property
    def _last_schema(self) -> tuple[str, str] | tuple[None, None]:
        said = [(span.last, hash_) for hash_, span in self.schemas.items()]
        return max(said) if said else (None, None)

    def get(self, name: str) -> Any:
        """Return the latest value of `name`, or None."""
        return self.said[name].value if name in self.said else None


class RunFacts(msgspec.Struct, frozen=True, dict=True):
    """All facts about one run; `said` has its name, parent, facets and so on.

    `heard_at` is the time of the first event that named it, with any content. `versions` has the
    first time of each version of a job, by hash, that job events stated.
    """

    heard_at: str | None = None
    times: dict[EventType, TimeSpan] = {}
    said: dict[str, Stamped] = {}
    inputs: dict[str, Use] = {}
    outputs: dict[str, Use] = {}
    versions: dict[str, str] = {}

    def __or__(self, other: RunFacts) -> RunFacts:
        return RunFacts(
            heard_at=_earlier(self.heard_at, other.heard_at),
            times=_union(self.times, other.times),
            said=_union(self.said, other.said),
            inputs=_union(self.inputs, other.inputs),
            outputs=_union(self.outputs, other.outputs),
            versions=_first_times(self.versions, other.versions),
        )

    def get(self, name: str) -> Any:
        """Return the latest value of `name`, or None."""
        return self.said[name].value if name in self.said else None

    @property
    def is_streaming(self) -> bool:
        """Return whether its job processes a stream: it has data before its end."""
        return bool(self.get("processing") == STREAMING)

    @property
    def effective(self) -> RunFacts:
        """Return the facts without the inputs and outputs that a later event replaced.

        In the content mode COMPLETE_SNAPSHOT the last event with inputs names all of them, and so
        for outputs. It follows from the joined facts: the order of the events has no influence.
        """
        if self.get("content_mode") != SNAPSHOT:
            return self
        return msgspec.structs.replace(
            self, inputs=_last_named(self.inputs), outputs=_last_named(self.outputs)
        )

    @property
    def heard_last(self) -> str:
        """Return the latest event time of its reports; empty without any."""
        return max((span.last for span in self.times.values()), default="")

    @property
    def silent_end(self) -> str | None:
        """Return when it was given up as silent, if that still holds.

        It holds until an end is reported, or anything after the last report.
        """
        given_up = self.said.get(SILENT)
        has_end = FINAL_EVENTS & self.times.keys() or RunState.SUPERSEDED in self.said
        if not given_up or has_end or self.heard_last > given_up.value:
            return None
        return given_up.at

    @property
    def state(self) -> RunState:
        """Return the state that a person gave it, or else its own."""
        mark = self.hand_mark
        return mark.state if mark else self.own_state

    @property
    def hand_mark(self) -> HandMark | None:
        """Return the mark by hand that decides its state, if one does."""
        said = self.said.get(BY_HAND)
        if not said or not said.value:
            return None
        own = self.own_state
        state, reason, author = said.value
        latest = {kind: span.last for kind, span in self.times.items()}
        if not mark_counts(RunState(state), said.at, own, latest):
            return None
        at = datetime.fromisoformat(said.at)
        return HandMark(RunState(state), reason, author, own, at)

    @property
    def completed_at(self) -> str | None:
        """Return since when it is COMPLETED; None if it is not."""
        if self.state is not RunState.COMPLETED:
            return None
        return self.said[BY_HAND].at if self.hand_mark else self.times[EventType.COMPLETE].last

    @cached_property
    def own_state(self) -> RunState:
        """Return the state that follows from all reports."""
        if self.silent_end:
            return RunState.FAILED
        settled = derive_state({kind: span.last for kind, span in self.times.items()})
        if self._is_superseded(settled):
            return RunState.SUPERSEDED
        if self._waits(settled):
            return RunState.WAITING
        return self._as_marked(settled)

    def _waits(self, settled: RunState) -> bool:
        """Return whether it waits: before it starts, or since the last sign that it runs."""
        mark = self.said.get(RunState.WAITING)
        if mark is None or settled not in (RunState.PENDING, RunState.RUNNING):
            return False
        return mark.at > self.ran_last

    @property
    def ran_last(self) -> str:
        """Return when it was last reported to run; empty before."""
        signs = (EventType.START, EventType.RUNNING)
        return max((self.times[one].last for one in signs if one in self.times), default="")

    @property
    def mark(self) -> Stamped | None:
        """Return the mark that decides its state: the value is the reason and a message."""
        return self.said.get(self.state)

    def _as_marked(self, settled: RunState) -> RunState:
        marked = MARKED.get(settled)
        mark = self.said.get(marked.state) if marked else None
        if marked and mark and mark.at == self.times[marked.event_type].last:
            return marked.state
        return settled

    def _is_superseded(self, settled: RunState) -> bool:
        """Return whether an uncounted end is the only one, or a success beside failures.

        A success that counts, and a later start, take precedence.
        """
        mark = self.said.get(RunState.SUPERSEDED)
        started = self.times.get(EventType.START)
        if not mark or settled is RunState.COMPLETED or (started and started.last > mark.at):
            return False
        return bool(mark.rank) or settled not in FINAL


class OtherName(msgspec.Struct, frozen=True):
    """Another name of a dataset, stated as a symlink or by a rename."""

    namespace: str
    name: str
    kind: Literal["symlink", "rename"]
    span: TimeSpan

    def __or__(self, other: OtherName) -> OtherName:
        return OtherName(self.namespace, self.name, self.kind, self.span | other.span)


class DatasetFacts(msgspec.Struct, frozen=True):
    """All facts about one dataset apart from its use."""

    namespace: str  # its namespace
    name: str  # its name
    said: dict[str, Stamped] = {}  # values by name of the fact
    schemas: dict[str, Stamped] = {}  # every schema facet that it ever had, by hash
    names: dict[str, OtherName] = {}  # all other names, by kind and key
    unlinked_at: str = ""  # time before which symlinks do not count any more
    # the first time of each schema, or none, that a dataset event (`1 HASH`) or a reader
    # (`0 HASH`) stated
    stated: dict[str, str] = {}
    verdicts: dict[str, Stamped] = {}  # verdicts that came without a run

    def __or__(self, other: DatasetFacts) -> DatasetFacts:
        return DatasetFacts(
            namespace=self.namespace,
            name=self.name,
            said=_union(self.said, other.said),
            schemas=_union(self.schemas, other.schemas),
            names=_union(self.names, other.names),
            unlinked_at=max(self.unlinked_at, other.unlinked_at),
            stated=_first_times(self.stated, other.stated),
            verdicts=_union(self.verdicts, other.verdicts),
        )

    def versions(self, *, is_written: bool) -> list[tuple[str, str]]:
        """Return the first time and the schema of each version without a run, newest first.

        Those of readers count only if nothing else makes versions of the dataset.
        """
        for rank in ("1",) if is_written else ("1", "0"):
            found = [(at, key[2:]) for key, at in self.stated.items() if key.startswith(f"{rank} ")]
            named = [version for version in found if version[1]]
            if found:
                return sorted(named or found, reverse=True)
        return []

    @property
    def other_names(self) -> list[OtherName]:
        """Return the other names that count, by kind and key."""
        return [
            name
            for _, name in sorted(self.names.items())
            if name.kind == "rename" or name.span.last > self.unlinked_at
        ]

    @property
    def schema_order(self) -> list[str]:
        """Return the hashes of its schemas, latest first."""
        stamps = self.schemas.values()
        return [s.value for s in sorted(stamps, key=lambda s: (s.rank, s.at, s.value))][::-1]

    def get(self, name: str) -> Any:
        """Return the latest value of `name`, or None."""
        return self.said[name].value if name in self.said else None


def _last_named(uses: dict[str, Use]) -> dict[str, Use]:
    last = max((use.span.last for use in uses.values()), default="")
    return {key: use for key, use in uses.items() if use.span.last == last}


def _earlier(left: str | None, right: str | None) -> str | None:
    return min(left, right) if left and right else left or right


def _first_times(left: dict[str, str], right: dict[str, str]) -> dict[str, str]:
    if not left or not right:
        return left or right
    return left | {key: min(at, left.get(key, at)) for key, at in right.items()}


def _union(left: dict[Any, V], right: dict[Any, V]) -> dict[Any, V]:
    if not left or not right:
        return left or right
    joined = dict(left)
    for key, value in right.items():
        joined[key] = joined[key] | value if key in joined else value
    return joined


def encode_facts(facts: RunFacts | DatasetFacts) -> str:
    """Return facts as JSON text; equal facts give equal text."""
    return msgspec.json.encode(facts, order="sorted").decode()


def decode_facts(text: str, kind: type[F]) -> F:
    """Return the facts that `encode_facts` wrote."""
    return decode_json(text, into=kind)
