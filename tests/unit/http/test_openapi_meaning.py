"""The generated document means what the hand-written one meant, but for known differences."""

from fnmatch import fnmatchcase
from pathlib import Path

import msgspec

from lineagegraph.http.openapi import make_document
from tests.unit.http.openapi_meaning import list_differences, operations_of

BEFORE = Path(__file__).parents[2] / "data" / "openapi_before.json"
_LISTS = ["freshness", "sensors", "skips", "sources", "tags", "variables"]
# Where the documents differ, and why.
KNOWN = {
    # Answers may gain fields: only bodies of requests refuse unknown ones.
    "*/responses/*/additionalProperties: false -> nothing": "answers are open",
    # The server has always served these lists as NDJSON, and answered 406 and 415.
    **{
        f"/GET /api/v1/{name}/{rest}": "was left out"
        for name in _LISTS
        for rest in ("parameters/query format: *", "responses/406: *", "*/x-ndjson: *")
    },
    "*/responses/415: nothing -> *": "was left out",
    **{f"*/responses/{status}: nothing -> *": "is newer" for status in (403, 408, 421, 429)},
    # Types know more than the JSON by hand said.
    "*/body/*/default: nothing -> *": "defaults of bodies",
    "*/waits/body/*/namespace/*: nothing -> *": "null, and the lengths that are checked",
    "*/waits/body/*/job/*: nothing -> *": "null, and the lengths that are checked",
    "*/waits/body/*/retries/integer/maximum: nothing -> 1000": "is checked",
    '*/version/string/format: nothing -> "uuid"': "a UUID",
    '*/nominal*Time/string/format: nothing -> "date-time"': "a time",
    "*/state/enum: nothing -> *": "only Marquez's states",
    "*/state/string: {} -> nothing": "only Marquez's states",
    "*/totalCount/integer/minimum: nothing -> 0": "a count",
    "*DatasetVersions/array/items/object/properties/facets/*": "counts by facet",
    "*/as-was/*/properties/*/object/properties: nothing -> *": "was any object",
    "*/as-was/*/properties/*/object/required: nothing -> *": "was any object",
    "*/as-was/*/spark/object/additionalProperties: nothing -> *": "was any object",
    "*/as-was/*/required/*: nothing -> true": "is always there",
    "*/sensors/*/properties/*: nothing -> *": "was any object",
    "*/sensors/waits/responses/*/terms/*: nothing -> *": "was any object",
    "*/rerun/*/job/object/required: nothing -> *": "is always there",
    "*/schemaLocation: nothing -> true": "is always there",
    "*/lineage/batch/*/required/*: nothing -> true": "is always there",
    "/POST /api/v1/lineage/responses/201/*/index: *": "only a batch's reports have it",
    "*/column-lineage/*/required/datasetVersion: nothing -> true": "is always there",
    "*/inputFields/*/datasetVersion: * -> nothing": "only column lineage has it",
    "*/properties/partitions: nothing -> *": "was stated of lineage's nodes, not of jobs",
    "*/runlineage/upstream/*/job/object/properties/name/null: *": "a run may have no job yet",
    # A kind of node has its own type of data.
    "/GET /api/v1/lineage/responses/200/*/graph/*": "a node for each kind",
}


def differences() -> list[str]:
    before = msgspec.json.decode(BEFORE.read_bytes())
    return list(list_differences(operations_of(before), operations_of(make_document())))


def test_all_other_meaning_is_as_before() -> None:
    found = differences()
    assert [one for one in found if not any(fnmatchcase(one, known) for known in KNOWN)] == []


def test_each_known_difference_is_there() -> None:
    found = differences()
    assert [known for known in KNOWN if not any(fnmatchcase(one, known) for one in found)] == []
