"""A server whose graph has two projects: a shop's pipelines, and a bank's."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest

from lineagegraph.admin.tokens import add_token
from lineagegraph.graph import Graph
from lineagegraph.http import HttpServer, bind, make_application
from lineagegraph.model.access import Role
from lineagegraph.settings import Settings
from tests.acceptance.marquez.document import check_answer
from tests.acceptance.schedules.projects import make_projects

JSON = {"Content-Type": "application/json"}
Admit = Callable[..., httpx.Client]
APP = "/v3/namespaces/default/apps/shop"


@pytest.fixture(scope="module")
def url(
    connection: Graph, settings: Settings, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    """One server for a module; each test has the graph to itself, as projects are made anew."""
    own = settings.model_copy(update={"home": tmp_path_factory.mktemp("schedules")})
    server = HttpServer(make_application(connection, own), bind("127.0.0.1", 0))
    server.start()
    yield server.url
    server.stop()


@pytest.fixture
def projects(graph: Graph) -> Graph:
    make_projects(graph)
    return graph


@pytest.fixture
def client(projects: Graph, url: str) -> Iterator[httpx.Client]:
    hooks: dict[str, Any] = {"response": [check_answer]}
    with httpx.Client(base_url=url, timeout=60, event_hooks=hooks, headers=JSON) as client:
        yield client


@pytest.fixture
def admitted(projects: Graph, settings: Settings, tmp_path: Path) -> Iterator[Admit]:
    """Clients of a server of their own, each with a token that covers, by role, namespaces."""
    own = settings.model_copy(update={"home": tmp_path})
    server = HttpServer(make_application(projects, own), bind("127.0.0.1", 0))
    server.start()
    with ExitStack() as open_until_the_end:
        open_until_the_end.callback(server.stop)

        def admit(name: str, **covers: str) -> httpx.Client:
            roles = {Role(role): frozenset(names.split()) for role, names in covers.items()}
            headers = {"Authorization": f"Bearer {add_token(projects, name, roles)}"}
            client = httpx.Client(base_url=server.url, timeout=60, headers=headers)
            return open_until_the_end.enter_context(client)

        yield admit


def schedule(**said: Any) -> dict[str, Any]:
    """A schedule that starts `report` when `load` completes."""
    return {
        "program": {"programName": "report", "programType": "WORKFLOW"},
        "trigger": status("load"),
        **said,
    }


def status(program: str, *statuses: str, **where: str) -> dict[str, Any]:
    """CDAP's trigger on a program of the same application, unless `where` says otherwise."""
    named = {"namespace": "default", "application": "shop", "version": "-SNAPSHOT"}
    return {
        "type": "PROGRAM_STATUS",
        "programId": {
            **named,
            "type": "WORKFLOW",
            "entity": "PROGRAM",
            "program": program,
            **where,
        },
        "programStatuses": list(statuses) or ["COMPLETED"],
    }
