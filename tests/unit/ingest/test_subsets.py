"""Which partitions a subset facet lists."""

from typing import Any

import pytest

from lineagegraph.ingest.column_facets import dimension_names, partition_key, partition_keys
from lineagegraph.model.names.keys import canonical_json


def listed(*dimensions: Any) -> str:
    partitions = [{"dimensions": one, "identifier": "x"} for one in dimensions]
    return canonical_json({"outputCondition": {"type": "partition", "partitions": partitions}})


def test_partitions_are_told_by_their_dimensions_whatever_their_order() -> None:
    keys = partition_keys(listed({"region": "JP", "hour": "1"}, {"hour": "0", "region": "JP"}))
    assert keys == ['{"hour":"0","region":"JP"}', '{"hour":"1","region":"JP"}']


@pytest.mark.parametrize(
    "subset",
    [
        None,
        "[]",
        "{}",
        '{"inputCondition":5}',
        '{"inputCondition":{"type":"location","locations":["/a"]}}',
        '{"inputCondition":{"type":"partition","partitions":{"a":1}}}',
        listed(),
        listed({}, "a", None),
        listed(*({"hour": str(hour)} for hour in range(1001))),
    ],
    ids=lambda subset: str(subset)[:60],
)
def test_what_lists_no_partitions_or_too_many_means_all_of_the_dataset(subset: str | None) -> None:
    assert partition_keys(subset) is None


def test_one_partition_is_a_version_s_name_and_several_or_all_are_a_sign() -> None:
    assert [partition_key(keys) for keys in (["{}"], ["a", "b"], None)] == ["{}", "*", ""]


def test_partitions_by_the_same_dimensions_have_their_names() -> None:
    keys = partition_keys(listed({"region": "JP", "hour": "1"}, {"hour": "0", "region": "UK"}))
    assert dimension_names(keys) == ["hour", "region"]
    assert dimension_names(['{"hour":"1"}', '{"region":"UK"}']) is None
