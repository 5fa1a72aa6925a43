"""Whoever starts or changes a backfill has to be allowed to operate its pipeline's namespace."""

import httpx2 as httpx
import pytest

from lineagegraph.graph import Graph
from tests.acceptance.access.conftest import Admit
from tests.definitions import start_january

BACKFILLS = "/api/v1/backfills"
SPAN = {"job": "daily", "values": {"day": ["2026-02-01"]}}


@pytest.fixture(autouse=True)
def january(graph: Graph) -> None:
    start_january(graph)


def asked(client: httpx.Client) -> dict[str, int]:
    """The statuses of all that a client may want."""
    return {
        "list": client.get(BACKFILLS).status_code,
        "list of a pipeline": client.get(BACKFILLS, params={"job": "daily"}).status_code,
        "get": client.get(f"{BACKFILLS}/january").status_code,
        "partitions": client.get(f"{BACKFILLS}/january/partitions").status_code,
        "preview": client.post(f"{BACKFILLS}/preview", json=SPAN).status_code,
        "start": client.post(BACKFILLS, json=SPAN).status_code,
        "pause": client.post(f"{BACKFILLS}/january/pause").status_code,
    }


def test_the_role_operate_of_the_namespace_starts_and_read_looks(admit: Admit) -> None:
    found = asked(admit(read="default", operate="default"))
    assert found.pop("list") == 403
    assert found.pop("start") == 201
    assert set(found.values()) == {200}


def test_the_role_read_changes_nothing(admit: Admit, graph: Graph) -> None:
    found = asked(admit(read="*", write="*"))
    refused = {what for what, status in found.items() if status == 403}
    assert refused == {"preview", "start", "pause"}
    assert graph.query("MATCH (b:Backfill) RETURN b.state AS state") == [{"state": "RUNNING"}]


def test_another_namespaces_roles_do_nothing_here(admit: Admit) -> None:
    assert set(asked(admit(read="other", operate="other")).values()) == {403}
