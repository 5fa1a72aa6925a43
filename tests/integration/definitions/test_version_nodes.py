"""A version's nodes and relationships say what its text says."""

from datetime import UTC, datetime, time, timedelta, timezone

import msgspec
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lineagegraph.graph import Graph
from lineagegraph.model.freshness.terms import Counts, Dependency, Freshness, WhenNewer, WhenSkipped
from lineagegraph.model.names.keys import canonical_hash
from lineagegraph.model.pipelines import definition
from lineagegraph.model.runs.states import RunState
from lineagegraph.model.triggers import condition as on
from lineagegraph.model.triggers import constraint
from lineagegraph.model.triggers.predicate import Comparison, Predicate
from lineagegraph.model.triggers.trigger import Argument, CatchUp, Overlap, Pick, Reset, Trigger
from tests.definitions import define
from tests.integration.definitions.nodes import read_nodes

WORDS = st.text("abcé ".strip() + "'\"={}", min_size=1, max_size=4)
NUMBERS = st.integers(0, 5).map(float)
JSON = st.one_of(st.none(), st.integers(-(2**70), 2**70), WORDS, st.lists(st.integers(0, 3)))
TEXTS = st.dictionaries(WORDS, WORDS, max_size=2)
VALUES = st.dictionaries(WORDS, JSON.filter(lambda value: value is not None), max_size=2)
TIMES = st.sampled_from(
    [
        None,
        datetime(2026, 1, 1, tzinfo=UTC),
        datetime(2026, 5, 1, tzinfo=timezone(timedelta(hours=4))),
    ]
)
PREDICATES = st.builds(Predicate, key=WORDS, test=st.sampled_from(Comparison), value=JSON)
LEAVES = st.one_of(
    st.builds(
        on.OnStatus,
        job=WORDS,
        statuses=st.just((RunState.COMPLETED, RunState.FAILED)),
        within_seconds=st.none() | NUMBERS,
        where_=st.lists(PREDICATES, max_size=2).map(tuple),
    ),
    st.builds(on.OnDataset, namespace=WORDS, name=WORDS, count=st.integers(1, 3)),
    st.builds(on.OnCron, cron=st.just("0 2 * * *"), zone=st.just("Asia/Dubai")),
    st.builds(on.OnFresh, of=st.builds(on.OnDataset, namespace=WORDS, name=WORDS), max_age=NUMBERS),
)


def operators(operands: st.SearchStrategy[on.AnyCondition]) -> st.SearchStrategy[on.AnyCondition]:
    several = st.lists(operands, min_size=1, max_size=3).map(tuple)
    return st.one_of(
        st.builds(on.And, operands=several, within_seconds=st.none() | NUMBERS),
        st.builds(on.AtLeast, count=st.integers(1, 3), operands=several),
        st.builds(on.Sequence, operands=several),
        st.builds(on.Not, operand=operands),
    )


LIMITS = st.one_of(
    st.builds(constraint.Gap, seconds=NUMBERS),
    st.builds(constraint.TimeRange, start=st.just(time(22)), end=st.just(time(6)), zone=WORDS),
)
TRIGGERS = st.builds(
    Trigger,
    when=st.recursive(LEAVES, operators, max_leaves=4),
    name=st.none() | WORDS,
    pick=st.sampled_from(Pick),
    overlap=st.sampled_from(Overlap),
    catch_up=st.sampled_from(CatchUp),
    reset=st.none() | st.builds(Reset, cron=st.just("0 0 * * *"), zone=WORDS),
    constraints=st.lists(LIMITS, max_size=2).map(tuple),
    arguments=st.lists(
        st.builds(Argument, parameter=WORDS, key=WORDS, default=JSON), max_size=2
    ).map(tuple),
    properties=VALUES,
)
WORK = st.one_of(
    st.builds(
        definition.PythonTask,
        module=WORDS,
        qualname=WORDS,
        arguments=st.just(("a", "b")),
        captured=VALUES,
    ),
    st.builds(
        definition.CommandTask, command=st.lists(WORDS, min_size=1).map(tuple), environment=TEXTS
    ),
    st.builds(definition.SparkSubmitTask, file=WORDS, main=st.none() | WORDS, conf=TEXTS),
    st.builds(definition.SqlTask, sql=WORDS, target=st.none() | WORDS),
    st.builds(definition.NotebookTask, file=WORDS),
)
TERMS = st.builds(
    Freshness,
    max_age=st.none() | NUMBERS,
    since=st.none() | WORDS,
    zone=st.none() | WORDS,
    counts=st.none() | st.sampled_from(Counts),
    any_partition=st.booleans(),
    unchanged=st.booleans(),
)
DEPENDENCIES = st.builds(
    Dependency,
    job=WORDS,
    namespace=st.none() | WORDS,
    freshness=TERMS,
    when_skipped=st.sampled_from(WhenSkipped),
    when_newer=st.sampled_from(WhenNewer),
    external=st.booleans(),
    recheck=NUMBERS,
    wait=NUMBERS,
)
PROGRAMS = st.none() | WORDS | st.lists(WORDS, min_size=1, max_size=2).map(tuple)
CLUSTERS = st.builds(
    definition.Cluster,
    name=st.just("") | WORDS,
    spark=TEXTS,
    create=PROGRAMS,
    destroy=PROGRAMS,
)
EMITS = st.none() | st.lists(st.builds(definition.Emit, name=WORDS, type=WORDS), max_size=2).map(
    tuple
)


def tasks(
    work: st.SearchStrategy[definition.AnyWork],
) -> st.SearchStrategy[tuple[definition.Task, ...]]:
    one = st.builds(
        definition.Task,
        name=WORDS,
        work=work,
        retries=st.integers(0, 2),
        emits=EMITS,
        freshness=st.none() | TERMS,
        dependencies=st.lists(DEPENDENCIES, max_size=2).map(tuple),
        cluster=st.none() | WORDS,
    )
    return st.lists(one, min_size=1, max_size=3, unique_by=lambda task: task.name).map(in_a_row)


def in_a_row(found: list[definition.Task]) -> tuple[definition.Task, ...]:
    """Each of them after all those before it."""
    names = [task.name for task in found]
    return tuple(
        msgspec.structs.replace(task, after=tuple(names[:number]))
        for number, task in enumerate(found)
    )


def pipelines(
    work: st.SearchStrategy[definition.AnyWork],
) -> st.SearchStrategy[definition.Pipeline]:
    return st.builds(
        definition.Pipeline,
        name=WORDS,
        namespace=WORDS,
        tasks=tasks(work),
        parameters=st.lists(
            st.builds(definition.Parameter, name=WORDS, type=WORDS, default=JSON), max_size=2
        ).map(tuple),
        partition_by=st.sampled_from([(), ("a",), ("a", "b")]),
        triggers=st.lists(TRIGGERS, max_size=2).map(tuple),
        spark=TEXTS,
        description=st.none() | WORDS,
        start_date=TIMES,
        end_date=TIMES,
        batch=st.booleans(),
        clusters=st.lists(CLUSTERS, max_size=2).map(tuple),
    )


NESTED = st.one_of(
    WORK,
    st.builds(definition.GroupTask, tasks=tasks(WORK)),
    st.builds(definition.PipelineTask, pipeline=pipelines(WORK), params=VALUES),
)


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(pipelines(NESTED))
def test_the_nodes_of_a_version_say_what_its_text_says(
    graph: Graph, pipeline: definition.Pipeline
) -> None:
    define(graph, pipeline)
    found = read_nodes(graph, canonical_hash(pipeline))
    assert found == pipeline
