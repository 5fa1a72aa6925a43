"""Variables in the graph: set, unset, looked at, and kept by the runs that read them."""

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

import lineagegraph as lg
from lineagegraph.admin import variables
from lineagegraph.admin.variables import set_variable
from lineagegraph.authoring import current_variables
from lineagegraph.authoring.current_variables import all_values
from lineagegraph.authoring.variables import offering
from lineagegraph.errors import InvalidVariable, NotFound, VariableNotSet
from lineagegraph.graph import Graph
from lineagegraph.neo4j_server import ServerAddress
from lineagegraph.settings import Settings
from lineagegraph.store.admin import variables as store
from lineagegraph.store.runs import launches
from lineagegraph.worker.run_variables import RunVariables
from tests.definitions import daily, define

RUN = "01900000-0000-7000-8000-000000000001"


def queue(graph: Graph) -> None:
    said = {"job_key": define(graph, daily()), "params": None, "only": [], "now": None}
    graph.write(launches.merge_queued, run_id=RUN, **said)


def seen(graph: Graph) -> dict[str, Any]:
    kept = graph.write(store.claim_seen, run_id=RUN)
    return store.read_value(kept or "{}")


@pytest.mark.parametrize("value", [0, False, "", "text", 1.5, 2**70, [], {"a": [None, {"b": 1}]}])
def test_a_value_comes_back_as_it_was_set(graph: Graph, value: Any) -> None:
    assert set_variable(graph, "a", value)
    assert variables.get_variable(graph, "a").value == value
    assert all_values(graph) == {"a": value}


def test_every_change_says_who_made_it_and_the_same_value_is_none(graph: Graph) -> None:
    assert set_variable(graph, "rate", 1, by="ann")
    assert not set_variable(graph, "rate", 1, by="bob")
    assert set_variable(graph, "rate", 2, by="bob")
    variables.unset_variable(graph, "rate", by="cy")
    assert set_variable(graph, "rate", 1, by="dan")
    changes = variables.list_changes(graph, "rate")
    told = [(one.number, one.value, one.changed_by) for one in changes]
    assert told == [(4, 1, "dan"), (3, None, "cy"), (2, 2, "bob"), (1, 1, "ann")]
    assert [one.number for one in variables.list_changes(graph, "rate", limit=2)] == [4, 3]
    assert all(new.changed_at >= old.changed_at for new, old in pairwise(changes))


def test_only_the_newest_changes_are_kept(graph: Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(variables, "KEPT_CHANGES", 3)
    for value in range(6):
        set_variable(graph, "a", value)
    assert [one.value for one in variables.list_changes(graph, "a")] == [5, 4, 3]


def test_what_is_not_set_is_named(graph: Graph) -> None:
    for look in (variables.get_variable, variables.unset_variable, variables.list_changes):
        with pytest.raises(NotFound, match="variable 'a' "):
            look(graph, "a")
    set_variable(graph, "a", 1)
    variables.unset_variable(graph, "a")
    assert variables.list_variables(graph) == []
    with pytest.raises(NotFound):
        variables.unset_variable(graph, "a")
    with pytest.raises(InvalidVariable, match="unset the variable instead"):
        set_variable(graph, "a", None)


def test_writers_at_once_leave_one_history_without_gaps(graph: Graph) -> None:
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda value: set_variable(graph, "a", value), range(24)))
    changes = variables.list_changes(graph, "a")
    assert [one.number for one in changes] == list(range(24, 0, -1))
    assert variables.get_variable(graph, "a").value == changes[0].value


def test_a_run_keeps_the_value_that_it_found_first(graph: Graph) -> None:
    queue(graph)
    set_variable(graph, "rate", 1)
    with offering(RunVariables(graph, RUN)):
        assert lg.variable("rate") == 1
        assert lg.variable("missing", default=7) == 7
    set_variable(graph, "rate", 2)
    set_variable(graph, "missing", 3)
    # Another process of the same run, after the first was killed.
    with offering(RunVariables(graph, RUN)):
        assert lg.variable("rate") == 1
        assert lg.variable("missing", default=8) == 8
        assert lg.variable("late", default=0) == 0
    assert seen(graph) == {"late": None, "missing": None, "rate": 1}


def test_tasks_that_ask_at_once_get_the_same_answer(graph: Graph) -> None:
    queue(graph)
    set_variable(graph, "rate", 0)

    def ask(number: int) -> Any:
        set_variable(graph, "rate", number)
        return RunVariables(graph, RUN)("rate")

    with ThreadPoolExecutor(8) as pool:
        found = set(pool.map(ask, range(16)))
    assert found == {seen(graph)["rate"]}


def test_outside_definitions_and_tasks_it_is_the_value_of_now(
    graph: Graph, server: ServerAddress, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = Settings(
        home=tmp_path,
        neo4j_uri=server.bolt,
        neo4j_user=server.user,
        neo4j_password=SecretStr(server.password),
    )
    monkeypatch.setattr(current_variables, "load_settings", lambda: here)
    assert lg.variable("rate", default=7) == 7
    set_variable(graph, "rate", 5)
    assert lg.variable("rate", default=7) == 5


def test_outside_of_all_without_a_graph_it_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for settings in (
        Settings(home=tmp_path, neo4j_uri=None),
        Settings(neo4j_uri="bolt://127.0.0.1:9", neo4j_password=SecretStr("x")),
    ):
        monkeypatch.setattr(current_variables, "load_settings", lambda found=settings: found)
        with pytest.raises(VariableNotSet, match=r"lineagegraph\.testing\.variables"):
            lg.variable("rate", default=7)


def test_a_program_that_is_a_task_counts_as_its_run(
    graph: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    queue(graph)
    set_variable(graph, "rate", 1)
    monkeypatch.setenv("LINEAGEGRAPH_RUN_ID", "01900000-0000-7000-8000-000000000002")
    monkeypatch.setenv("OPENLINEAGE_ROOT_PARENT_ID", f"default/daily/{RUN}")
    assert current_variables.value_in(graph, "rate") == 1
    assert current_variables.value_in(graph, "none") is None
    set_variable(graph, "rate", 2)
    assert current_variables.value_in(graph, "rate") == 1
    assert seen(graph) == {"none": None, "rate": 1}
