"""From a span of days and values to the parameters of each run."""

import pytest

from lineagegraph.backfills.partitions import list_partitions
from lineagegraph.errors import BackfillRefused
from lineagegraph.model.pipelines.definition import Parameter, Pipeline
from lineagegraph.model.triggers.backfill import BackfillSpan, NominalRange, PartitionOrder


def hourly(*types: str, by: tuple[str, ...] = ()) -> Pipeline:
    """A pipeline with a parameter of each type, named for it."""
    given = tuple(Parameter(name=type_, type=type_) for type_ in types)
    return Pipeline(name="p", namespace="n", tasks=(), parameters=given, partition_by=by)


def test_times_go_to_the_one_parameter_of_the_partition_that_is_a_time() -> None:
    pipeline = hourly("str", "datetime", "date", by=("str", "datetime"))
    span = BackfillSpan(times=NominalRange("2026-03-29", "2026-03-29", "1h", "Europe/Berlin"))
    found = list_partitions(pipeline, span)
    assert len(found) == 23
    assert found[2].params["datetime"] == "2026-03-29T03:00:00+02:00"
    assert found[2].partition == '{"datetime":"2026-03-29T01:00:00+00:00","str":"null"}'


def test_days_of_a_parameter_that_is_a_time_begin_at_local_midnight() -> None:
    span = BackfillSpan(times=NominalRange("2026-10-24", "2026-10-26", "1d", "Europe/Berlin"))
    found = list_partitions(hourly("datetime", by=("datetime",)), span)
    assert [one.params["datetime"][10:] for one in found] == [
        "T00:00:00+02:00",
        "T00:00:00+02:00",
        "T00:00:00+01:00",
    ]


def test_the_only_parameter_of_a_partition_may_take_them_as_text() -> None:
    span = BackfillSpan(times=NominalRange("2026-01-01", "2026-01-02"))
    found = list_partitions(hourly("date", "str", by=("str",)), span)
    assert [one.params["str"] for one in found] == ["2026-01-01", "2026-01-02"]


@pytest.mark.parametrize("types", [("date", "datetime"), ("int", "str"), ()])
def test_where_several_could_take_the_times_one_has_to_be_named(types: tuple[str, ...]) -> None:
    with pytest.raises(BackfillRefused, match="Name one; it has"):
        list_partitions(
            hourly(*types), BackfillSpan(times=NominalRange("2026-01-01", "2026-01-02"))
        )


def test_the_newest_first_are_the_same_in_the_other_order() -> None:
    times = NominalRange("2026-01-01", "2026-01-03")
    oldest = list_partitions(hourly("date"), BackfillSpan(times=times))
    newest = list_partitions(hourly("date"), BackfillSpan(times=times, order=PartitionOrder.NEWEST))
    assert [one.params for one in newest] == [one.params for one in oldest[::-1]]
    assert [one.number for one in newest] == [0, 1, 2]
