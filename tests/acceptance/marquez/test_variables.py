"""Variables over HTTP."""

import httpx2 as httpx
import pytest

V1 = "/api/v1/variables"


def test_a_variable_is_set_read_listed_and_unset(client: httpx.Client) -> None:
    for name, value in (("b", {"x": [1, None]}), ("a%2Fc", "text"), ("n", 2**70)):
        put = client.put(f"{V1}/{name}", json={"value": value}).json()
        assert put["value"] == value
        assert client.get(f"{V1}/{name}").json() == put
    page = client.get(f"{V1}?limit=2&offset=1").json()
    assert ([one["name"] for one in page["variables"]], page["totalCount"]) == (["b", "n"], 3)
    assert client.delete(f"{V1}/b").status_code == 204
    assert client.get(f"{V1}/b").status_code == 404
    assert client.delete(f"{V1}/b").status_code == 404


def test_its_history_says_who_changed_it_to_what(client: httpx.Client) -> None:
    for value in (1, 1, 2):
        client.put(f"{V1}/rate", json={"value": value})
    client.delete(f"{V1}/rate")
    changes = client.get(f"{V1}/rate/history").json()["changes"]
    assert [(one["number"], one["value"]) for one in changes] == [(3, None), (2, 2), (1, 1)]
    assert {one["changedBy"] for one in changes} == {"HTTP from 127.0.0.1"}
    assert len(client.get(f"{V1}/rate/history?limit=1").json()["changes"]) == 1
    assert client.get(f"{V1}/other/history").status_code == 404


@pytest.mark.parametrize(
    "body", [{}, {"value": None}, {"value": 1, "by": "me"}, [], {"value": "x" * 70_000}]
)
def test_what_is_no_value_is_refused_in_one_line(client: httpx.Client, body: object) -> None:
    refused = client.put(f"{V1}/rate", json=body)
    assert refused.status_code == 400
    assert "\n" not in refused.json()["error"]


@pytest.mark.parametrize("name", ["%20a", "a%0Ab", "x" * 201])
def test_what_is_no_name_is_refused(client: httpx.Client, name: str) -> None:
    assert client.put(f"{V1}/{name}", json={"value": 1}).status_code == 400
    assert client.get(f"{V1}/{name}").status_code == 400
