"""Every operation of the OpenAPI document, by every role."""

from http.client import HTTPConnection

import httpx2 as httpx
import pytest

from lineagegraph.http.access.needs import OPEN, need_of
from lineagegraph.model.access import Role
from tests.acceptance.access.conftest import Admit
from tests.acceptance.marquez.operations import Operation, Sent, list_operations

# What everyone may do with a session or a login of their own (`tests/acceptance/login`).
OWN = ("/api/v1/session", "/login/oidc", "/login/oidc/callback")


def requests() -> list[tuple[Operation, Sent]]:
    found = [(one, next(one.requests())) for one in list_operations()]
    return [(one, sent) for one, sent in found if one.path not in OPEN and one.path not in OWN]


def send(client: httpx.Client, sent: Sent) -> httpx.Response:
    return client.request(sent.method, sent.path, params=sent.query, json=sent.body)


@pytest.mark.parametrize("role", Role)
def test_a_role_allows_nothing_that_needs_another(role: Role, admit: Admit) -> None:
    client = admit(**{role.value: "*"})
    for operation, sent in requests():
        need = need_of(sent.method, sent.path)
        assert need is not None
        status = send(client, sent).status_code if need.role is not role else 403
        assert status in {403, 405}, (operation.method, operation.path)


@pytest.mark.parametrize("role", Role)
def test_a_role_on_another_namespace_allows_nothing(role: Role, admit: Admit) -> None:
    client = admit(**{role.value: "elsewhere"})
    for operation, sent in requests():
        if operation.path.startswith(STREAM):
            continue
        status = send(client, sent).status_code
        # One thing by its id is sought first: its namespace is what the role is needed on.
        assert status in {403, 404, 405} or (status, operation.path) == (200, BATCH), sent
        if (status, operation.path) == (200, BATCH):
            assert send(client, sent).json()["summary"]["successful"] == 0


BATCH = "/api/v1/lineage/batch"
# It answers everyone who reads something with the runs of these namespaces.
STREAM = "/api/v1/run-states"
TRICKS = [
    "/api/v1/namespaces/elsewhere/../shop/jobs",
    "/api/v1/namespaces/elsewhere%2F..%2Fshop/jobs",
    "//api/v1/namespaces/shop/jobs",
    "/api/v1//namespaces/shop/jobs",
    "/api/v1/./namespaces/shop/jobs",
    "/api/v1/namespaces/%73hop/jobs",
    "/api/v1/namespaces/shop%00/jobs",
    "/API/V1/namespaces/shop/jobs",
    "/api/v1/namespaces/elsewhere;/shop/jobs",
    "/api/v1/jobs?namespace=elsewhere",
    "/api/v1/namespaces/elsewhere%2e%2e/jobs/../../shop",
]


@pytest.mark.parametrize("path", TRICKS)
def test_no_spelling_of_a_path_leads_around_a_role(path: str, admit: Admit) -> None:
    client = admit(read="elsewhere")
    # Another client would make the path plain first.
    raw = HTTPConnection(client.base_url.host, client.base_url.port, timeout=30)
    raw.putrequest("GET", path)
    raw.putheader("Authorization", client.headers["Authorization"])
    raw.endheaders()
    answer = raw.getresponse()
    assert answer.status in {400, 403, 404}, answer.read()
