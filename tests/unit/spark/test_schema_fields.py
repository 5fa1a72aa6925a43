"""Spark's schemas as schema facets."""

import json

from lineagegraph.spark.schema_fields import schema_fields


def field(name, kind):
    return {"name": name, "type": kind, "nullable": True, "metadata": {}}


def test_nested_types_have_fields():
    point = {"type": "struct", "fields": [field("x", "double")]}
    points = {"type": "array", "elementType": point, "containsNull": True}
    tags = {"type": "map", "keyType": "string", "valueType": "long", "valueContainsNull": True}
    text = json.dumps({"type": "struct", "fields": [field("p", points), field("t", tags)]})
    x = {"name": "x", "type": "double"}
    assert schema_fields(text) == (
        {
            "name": "p",
            "type": "array",
            "fields": [{"name": "_element", "type": "struct", "fields": [x]}],
        },
        {
            "name": "t",
            "type": "map",
            "fields": [{"name": "key", "type": "string"}, {"name": "value", "type": "long"}],
        },
    )
