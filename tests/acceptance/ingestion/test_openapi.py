"""The server does what its OpenAPI document says, whatever it is sent."""

from collections.abc import Iterator
from urllib.parse import quote

import httpx2 as httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from schemathesis import Case, GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from lineagegraph.graph import Graph
from lineagegraph.http.openapi import make_document
from lineagegraph.settings import Settings
from tests.acceptance.experiment_metrics.telling import evening_in_japan, serve_example
from tests.acceptance.marquez.operations import Operation, list_operations
from tests.acceptance.schedules.projects import add_nightly
from tests.definitions import start_january

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
VALID = (GenerationMode.POSITIVE,)
# Without the token that it offers, or it would be sent made-up ones.
DOCUMENT = schemathesis.openapi.from_dict(make_document() | {"security": []})
OPERATIONS = [pytest.param(one, id=f"{one.method} {one.path}") for one in list_operations()]


@pytest.fixture(scope="module")
def client(
    connection: Graph, settings: Settings, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[httpx.Client]:
    """A client of one server for all tests: Japan's evening, a schedule and a backfill."""
    home = tmp_path_factory.mktemp("openapi")
    with serve_example(connection, settings, home, evening_in_japan()) as client:
        add_nightly(connection)
        start_january(connection)
        yield client


@pytest.mark.parametrize("operation", OPERATIONS)
def test_every_answer_is_documented(client: httpx.Client, operation: Operation) -> None:
    is_new = operation.can_succeed and not operation.about.get("deprecated")
    check(operation, str(client.base_url), examples=8 if is_new else 2)


@pytest.mark.soak
@pytest.mark.parametrize("operation", OPERATIONS)
def test_every_answer_is_documented_at_length(client: httpx.Client, operation: Operation) -> None:
    check(operation, str(client.base_url), examples=300)


def check(operation: Operation, url: str, examples: int) -> None:
    """Send what the document allows, and what it forbids; every other time for what there is."""
    described = DOCUMENT[operation.path][operation.method]
    needed = [p for p in operation.parameters if p.get("required")]
    in_path = {p["name"]: quote(str(p["example"]), safe="") for p in needed if p["in"] == "path"}
    in_query = {p["name"]: p["example"] for p in needed if p["in"] == "query"}
    for mode in GenerationMode if can_be_wrong(operation) else VALID:

        @hypothesis_settings(
            max_examples=examples, deadline=None, suppress_health_check=list(HealthCheck)
        )
        @given(
            case=described.as_strategy(generation_mode=mode),
            named=st.booleans() if needed else st.just(False),
        )
        def answers_as_documented(case: Case, named: bool) -> None:
            if named:
                case.path_parameters = in_path
                case.query = case.query | in_query
            # A stream has no end.
            case.headers = {**(case.headers or {}), "Accept": "application/json"}
            case.call_and_validate(base_url=url, checks=CHECKS, timeout=120)

        answers_as_documented()


def can_be_wrong(operation: Operation) -> bool:
    """Whether something can be sent that the document forbids: any text is a name in a path."""
    return operation.body is not None or any(p["in"] == "query" for p in operation.parameters)
