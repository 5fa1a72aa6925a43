"""Every example of the OpenAPI document is a request that works, in the order of the operations."""

from collections.abc import Iterator

import httpx2 as httpx
import jsonschema_rs
import pytest
from msgspec.structs import replace

from lineagegraph.admin.audit import AuditFilter, count_entries, list_entries
from lineagegraph.admin.freshness import set_terms
from lineagegraph.admin.namespaces import put_tag
from lineagegraph.admin.pools import set_pool
from lineagegraph.admin.skips import add_skip
from lineagegraph.admin.variables import set_variable
from lineagegraph.graph import Graph
from lineagegraph.http.openapi import make_document
from lineagegraph.model.freshness.standing import Terms
from lineagegraph.model.freshness.terms import TODAY, Freshness
from lineagegraph.model.waits import WaitTerms
from lineagegraph.queries.find.find import find_job
from lineagegraph.sensors import make_sensor
from lineagegraph.settings import Settings
from lineagegraph.store.runs.launches import merge_queued
from lineagegraph.waits.standalone import start_wait
from tests.acceptance.experiment_metrics.telling import evening_in_japan, serve_example
from tests.acceptance.marquez.audited import UNAUDITED
from tests.acceptance.marquez.operations import Operation, list_operations
from tests.acceptance.marquez.vanishing import Vanishing
from tests.acceptance.schedules.projects import add_nightly
from tests.definitions import NOTHING, daily, define, start_january, tell_daily

SKIP = "00000000-0000-7000-8000-000000005c1b"
WAIT = "00000000-0000-7000-8000-00000005e150"
SETTLED = "00000000-0000-7000-8000-00000005e151"
BATCH = "00000000-0000-7000-8000-00000000ba7c"
RUN = "00000000-0000-7000-8000-00000000da11"
QUEUED = "00000000-0000-7000-8000-0000000cae1"
OPERATIONS = [pytest.param(one, id=f"{one.method} {one.path}") for one in list_operations()]


@pytest.fixture(scope="module")
def client(
    connection: Graph, settings: Settings, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[httpx.Client]:
    """A client of one server for all of them: what one writes, others read and delete.

    It knows what Japan tells in the evening, a schedule, a backfill, a variable and a skip.
    """
    home = tmp_path_factory.mktemp("example")
    with serve_example(connection, settings, home, evening_in_japan()) as client:
        add_nightly(connection)
        start_january(connection)
        tell_daily(connection, RUN)
        day = define(connection, daily(), hash="ab" * 32)
        for end in "def":
            queued = {"job_key": day, "params": None, "only": [], "now": None}
            connection.write(merge_queued, run_id=QUEUED + end, **queued)
        set_variable(connection, "clients", ["acme"])
        put_tag(connection, "PII", None)
        nothing = find_job(connection, "daily.nothing").key
        add_skip(connection, nothing, "too late", skip_id=SKIP)
        fresh = Terms(freshness=Freshness(max_age=3600))
        set_terms(connection, find_job(connection, "daily").key, fresh)
        orders = make_sensor("file", {"path": "/data/landing/orders.csv"})
        for waiting in (WAIT, SETTLED):
            connection.write(start_wait, sensor=orders, terms=WaitTerms(), run_id=waiting)
        set_pool(connection, "spark", 2)
        kpi = daily("kpi_daily", partition_by=())
        task = replace(NOTHING, name="kpi", freshness=TODAY)
        batch = define(connection, replace(kpi, parameters=(), tasks=(task,), batch=True))
        asked = {"job_key": batch, "params": None, "only": [], "now": None}
        connection.write(merge_queued, run_id=BATCH, **asked)
        yield client


@pytest.mark.parametrize("operation", OPERATIONS)
def test_an_example_succeeds_with_its_change_audited_and_a_read_outlasts_the_deletion_of_all(
    connection: Graph,
    client: httpx.Client,
    operation: Operation,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = count_entries(connection, AuditFilter())
    for sent in operation.requests():
        answer = client.request(sent.method, sent.path, params=sent.query, json=sent.body)
        assert answer.status_code == operation.success, (sent, answer.text)
    made = list_entries(connection, AuditFilter(), limit=count_entries(connection, AuditFilter()))
    made = made[: len(made) - before]
    changes = operation.method != "get" and operation.can_succeed
    name = operation.about["operationId"]
    assert bool(made) == (changes and name not in UNAUDITED), made
    assert {(one.actor, one.address) for one in made} <= {("loopback", "127.0.0.1")}
    if operation.method == "get":
        vanishing = Vanishing(monkeypatch)
        for sent in operation.requests():
            assert max(vanishing.statuses(client, sent)) < 500, sent


def test_the_list_of_operations_without_entries_names_only_operations() -> None:
    names = {one.about["operationId"] for one in list_operations() if one.method != "get"}
    assert UNAUDITED.keys() <= names


@pytest.mark.parametrize("operation", OPERATIONS)
def test_an_example_fits_its_own_schema(operation: Operation) -> None:
    described = [*operation.parameters, *filter(None, [operation.body])]
    assert [one for one in described if "example" not in one] == []
    components = make_document()["components"]
    for one in described:
        schema = one["schema"] | {"components": components}
        jsonschema_rs.validator_for(schema, validate_formats=True).validate(one["example"])
