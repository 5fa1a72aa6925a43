"""The document describes the routes that there are."""

from typing import Any

from lineagegraph.http.openapi import make_document


def references(value: Any) -> set[str]:
    if isinstance(value, dict):
        own = {value["$ref"]} if "$ref" in value else set()
        return own.union(*map(references, value.values()))
    return set().union(*map(references, value)) if isinstance(value, list) else set()


def test_every_reference_leads_somewhere() -> None:
    document = make_document()
    for reference in references(document):
        _, _, section, name = reference.split("/")
        assert name in document["components"][section], reference
