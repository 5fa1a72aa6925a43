"""Whatever is submitted, fails or is lost, in whatever order."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lineagegraph.graph import Graph
from lineagegraph.model.freshness.terms import Freshness
from tests.integration.freshness.simulation import Edge, Simulation, Task
from tests.integration.freshness.theatre import Theatre

HOUR = 3600.0
terms = st.sampled_from(
    [
        Freshness(since="day"),
        Freshness(max_age=HOUR),
        Freshness(max_age=6 * HOUR),
        Freshness(max_age=24 * HOUR),
        Freshness(max_age=6 * HOUR, since="day"),
    ]
)
steps = st.lists(
    st.one_of(
        st.tuples(st.just("submit"), st.sampled_from(["a", "b"])),
        st.tuples(st.just("finish"), st.integers(0, 3), st.booleans()),
        st.tuples(st.just("pass_time"), st.sampled_from([1, 10, 31, 300, 800])),
        st.tuples(st.just("lose"), st.integers(0, 3)),
    ),
    min_size=4,
    max_size=14,
)


@st.composite
def batches(draw: st.DrawFn) -> dict[str, tuple[Task, ...]]:
    def task(name: str, *parents: tuple[str, bool]) -> Task:
        edges = [Edge(parent, draw(terms), inside) for parent, inside in parents]
        return Task(name, draw(terms), tuple(edges))

    return {
        "a": (task("a1"), task("a2", ("a1", True), ("b1", False))),
        "b": (task("b1", ("a1", False)), task("b2", ("b1", True), ("a2", False))),
    }


def check(graph: Graph, stated: dict[str, tuple[Task, ...]], script: list[tuple]) -> None:
    graph.query("MATCH (n) WHERE NOT n:Migration DETACH DELETE n", write=True)
    simulation = Simulation(Theatre(graph), stated)
    for name, *arguments in script:
        if name == "finish":
            simulation.finish(arguments[0], well=arguments[1])
        else:
            getattr(simulation, name)(*arguments)
    for _ in range(12):
        while simulation.oracle.executing:
            simulation.finish(0, well=True)
        simulation.pass_time(31)
    assert simulation.is_over()


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(stated=batches(), script=steps)
def test_nothing_runs_twice_in_a_window_or_on_stale_parents_or_waits_without_end(
    connection: Graph, stated: dict[str, tuple[Task, ...]], script: list[tuple]
) -> None:
    check(connection, stated, script)


@pytest.mark.soak
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(stated=batches(), script=steps)
def test_the_same_at_length(
    connection: Graph, stated: dict[str, tuple[Task, ...]], script: list[tuple]
) -> None:
    check(connection, stated, script)
