"""Who may look at variables, and who may change them."""

from lineagegraph.admin.variables import list_changes
from lineagegraph.graph import Graph
from tests.acceptance.access.conftest import Admit

ONE = "/api/v1/variables/rate"


def test_operators_of_all_namespaces_change_and_sign_with_their_token(
    admit: Admit, graph: Graph
) -> None:
    client = admit(operate="*")
    assert client.put(ONE, json={"value": 1}).status_code == 200
    assert client.get(ONE).status_code == 403
    assert client.delete(ONE).status_code == 204
    assert {one.changed_by for one in list_changes(graph, "rate")} == {"token ci"}


def test_readers_look_and_others_do_neither(admit: Admit, graph: Graph) -> None:
    reader = admit(read="*")
    assert reader.get("/api/v1/variables").status_code == 200
    assert reader.put(ONE, json={"value": 1}).status_code == 403


def test_the_roles_of_one_namespace_are_not_enough(admit: Admit) -> None:
    client = admit(read="shop", write="*", operate="shop")
    assert client.get("/api/v1/variables").status_code == 403
    assert client.put(ONE, json={"value": 1}).status_code == 403
    assert client.delete(ONE).status_code == 403
