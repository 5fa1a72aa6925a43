"""The partitions of a backfill: which values each of its runs is given."""

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import date, datetime
from itertools import islice, product
from typing import Any

import msgspec

from lineagegraph.errors import BackfillRefused
from lineagegraph.model.names.keys import canonical_json
from lineagegraph.model.pipelines.definition import Pipeline
from lineagegraph.model.pipelines.parameters import partition_of, resolve_params
from lineagegraph.model.triggers.backfill import BackfillSpan, PartitionOrder
from lineagegraph.model.triggers.time_range import list_times


def check_dates(pipeline: Pipeline, text: str) -> str:
    """Return a day or time as ISO 8601; raise `BackfillRefused` if it is outside the dates.

    Days are compared with the days of the dates in the zone of the pipeline.
    """
    for bound, what, advice in (
        (pipeline.start_date, "start_date", "begin the range there"),
        (pipeline.end_date, "end_date", "end the range there"),
    ):
        if bound is not None and _is_outside(text, bound, is_start=what == "start_date"):
            raise BackfillRefused(
                f"{text} is {'before' if what == 'start_date' else 'after'} the {what} of "
                f"{pipeline.name}, {bound.isoformat(timespec='seconds')}: {advice}"
            )
    return text


def _is_outside(text: str, bound: datetime, *, is_start: bool) -> bool:
    at: date = date.fromisoformat(text) if len(text) == 10 else datetime.fromisoformat(text)
    limit: date = bound if isinstance(at, datetime) else bound.date()
    return at < limit if is_start else at > limit


MOST_PARTITIONS = 20_000
_MOST_BYTES = 100_000
# The index of runs by partition takes no longer texts.
_LONGEST_PARTITION = 2_000
_TIMES = ("date", "datetime")
_Values = dict[str, Any]


class BackfillPartition(msgspec.Struct, frozen=True):
    """One run to be: its parameters, and its partition as canonical JSON text, if it has one."""

    number: int
    params: dict[str, Any]
    partition: str | None


def list_partitions(pipeline: Pipeline, span: BackfillSpan) -> list[BackfillPartition]:
    """Return the partitions of a span in the order in which they run.

    Raises `BackfillRefused` for an ambiguous span, too many partitions or duplicates, and
    `InvalidParameter` for values that the pipeline does not accept.
    """
    combined = islice(_combine(pipeline, span), MOST_PARTITIONS + 1)
    found = [_partition(pipeline, number, given) for number, given in enumerate(combined)]
    if len(found) > MOST_PARTITIONS:
        raise BackfillRefused(
            f"more than {MOST_PARTITIONS:,} partitions: split the range into several backfills"
        )
    _refuse_doubles(pipeline, found)
    if span.order is PartitionOrder.OLDEST:
        return found
    return [msgspec.structs.replace(p, number=n) for n, p in enumerate(reversed(found))]


def _combine(pipeline: Pipeline, span: BackfillSpan) -> Iterator[_Values]:
    """Yield the values of each partition: the times change slowest."""
    parts = list(_dimensions(pipeline, span))
    names = Counter(name for part in parts for name in part[0])
    if twice := [name for name, times in names.items() if times > 1]:
        raise BackfillRefused(f"parameter {twice[0]} is given in two ways: choose one")
    if not parts:
        raise BackfillRefused("the backfill has no partitions: give a range, values or rows")
    # A product reads its first part whole before it begins; of a range that may be very long.
    for first in parts[0][1]:
        for rest in product(*(part[1] for part in parts[1:])):
            yield {name: value for given in (first, *rest) for name, value in given.items()}


def _dimensions(
    pipeline: Pipeline, span: BackfillSpan
) -> Iterator[tuple[Iterable[str], Iterable[_Values]]]:
    if span.times:
        name = span.times.parameter or _time_parameter(pipeline)
        times = list_times(span.times, _as_days(pipeline, name))
        yield (name,), _each(name, (check_dates(pipeline, time) for time in times))
    for name, values in span.values.items():
        if not values:
            raise BackfillRefused(f"parameter {name} has no values: give at least one")
        yield (name,), list(_each(name, values))
    if span.rows:
        yield {name for row in span.rows for name in row}, span.rows


def _each(name: str, values: Iterable[Any]) -> Iterator[_Values]:
    return ({name: value} for value in values)


def _time_parameter(pipeline: Pipeline) -> str:
    types = {parameter.name: parameter.type for parameter in pipeline.parameters}
    split = pipeline.partition_by or tuple(types)
    found = [name for name in split if types.get(name) in _TIMES]
    found = found or (list(split) if len(split) == 1 else [])
    if len(found) != 1:
        has = ", ".join(types) or "none"
        raise BackfillRefused(
            f"which parameter of {pipeline.name} takes the times? Name one; it has {has}"
        )
    return found[0]


def _as_days(pipeline: Pipeline, name: str) -> bool | None:
    types = {parameter.name: parameter.type for parameter in pipeline.parameters}
    return {"date": True, "datetime": False}.get(types.get(name, ""))


def _partition(pipeline: Pipeline, number: int, given: _Values) -> BackfillPartition:
    params = resolve_params(pipeline, given)
    partition = partition_of(pipeline, params)
    text = canonical_json(partition) if partition else None
    size = len(canonical_json(params).encode())
    if size > _MOST_BYTES or len((text or "").encode()) > _LONGEST_PARTITION:
        raise BackfillRefused(f"the values of partition {number + 1} are too long")
    return BackfillPartition(number, params, text)


def _refuse_doubles(pipeline: Pipeline, found: list[BackfillPartition]) -> None:
    seen: dict[str, BackfillPartition] = {}
    for partition in found:
        values = partition.partition or canonical_json(partition.params)
        other = seen.setdefault(values, partition)
        if other is partition:
            continue
        if other.params == partition.params:
            raise BackfillRefused(f"{values[:200]} is given twice")
        by = ", ".join(pipeline.partition_by)
        raise BackfillRefused(
            f"two runs with different parameters would have the partition {values}: "
            f"{pipeline.name} is partitioned by {by} only"
        )
