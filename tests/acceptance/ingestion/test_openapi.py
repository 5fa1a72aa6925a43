"""The server does what its OpenAPI document says, whatever it is sent."""

from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis import Case, GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from lineagegraph.http.openapi import make_document

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
VALID = (GenerationMode.POSITIVE,)
DOCUMENT = make_document()
OPERATIONS = {
    f"{method} {path}": (path, method)
    for path, methods in DOCUMENT["paths"].items()
    for method in methods
    if method in ("get", "post", "put", "delete", "patch", "head")
}


def can_be_wrong(operation: dict[str, Any]) -> bool:
    """Whether something can be sent that the document forbids: any text is a name in a path."""
    return "requestBody" in operation or any(map(is_in_query, operation.get("parameters", ())))


def is_in_query(parameter: dict[str, Any]) -> bool:
    name = parameter.get("$ref", "").rpartition("/")[2]
    shared: dict[str, Any] = DOCUMENT["components"]["parameters"]
    return bool(shared.get(name, parameter)["in"] == "query")


def check(operation: Any, url: str, examples: int) -> None:
    for mode in GenerationMode if can_be_wrong(operation.definition.raw) else VALID:
        case = operation.as_strategy(generation_mode=mode)

        @settings(max_examples=examples, deadline=None, suppress_health_check=list(HealthCheck))
        @given(case=case)
        def answers_as_documented(case: Case) -> None:
            case.call_and_validate(base_url=url, checks=CHECKS, timeout=120)

        answers_as_documented()


@pytest.mark.parametrize("operation", OPERATIONS)
def test_every_answer_is_documented(client: httpx.Client, operation: str) -> None:
    path, method = OPERATIONS[operation]
    schema = schemathesis.openapi.from_dict(DOCUMENT)
    check(schema[path][method], str(client.base_url), examples=8)


@pytest.mark.soak
@pytest.mark.parametrize("operation", OPERATIONS)
def test_every_answer_is_documented_at_length(client: httpx.Client, operation: str) -> None:
    path, method = OPERATIONS[operation]
    schema = schemathesis.openapi.from_dict(DOCUMENT)
    check(schema[path][method], str(client.base_url), examples=300)
