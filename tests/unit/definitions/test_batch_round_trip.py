"""Any batch that is written as JSON states the same pipeline."""

import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lineagegraph.code.hashing import structure_hash
from lineagegraph.model.freshness.terms import (
    TODAY,
    Counts,
    Dependency,
    Freshness,
    WhenNewer,
    WhenSkipped,
)
from lineagegraph.model.pipelines.definition import (
    Cluster,
    CommandTask,
    Parameter,
    Pipeline,
    SqlTask,
    Task,
)
from tests.unit.definitions.batches import read

NAMES = st.text(st.characters(codec="utf-8", categories=["L", "N"]), min_size=1, max_size=4)
SECONDS = st.integers(0, 10**6).map(float)
ZONES = st.none() | st.sampled_from(["Asia/Dubai", "Europe/Berlin"])
TERMS = st.builds(
    Freshness,
    max_age=SECONDS,
    since=st.none() | st.sampled_from(["day", "hour", "0 6 * * 1"]),
    zone=ZONES,
    counts=st.none() | st.sampled_from(Counts),
    any_partition=st.booleans(),
    unchanged=st.booleans(),
) | st.builds(Freshness, since=st.sampled_from(["day", "hour", "30 2 * * *"]), zone=ZONES)
PROGRAMS = st.none() | st.lists(NAMES, min_size=1, max_size=2).map(tuple)
WORK = st.one_of(
    st.builds(CommandTask, command=st.lists(NAMES, min_size=1, max_size=3).map(tuple)),
    st.builds(
        SqlTask,
        sql=NAMES,
        target=st.none() | NAMES.filter(lambda name: re.fullmatch(r"\w+", name)),
        mode=st.sampled_from(["overwrite", "append"]),
    ),
)


def dependencies(jobs: st.SearchStrategy[str], **own: Any) -> st.SearchStrategy[Dependency]:
    """Parents with terms."""
    return st.builds(
        Dependency,
        job=jobs,
        freshness=TERMS,
        when_skipped=st.sampled_from(WhenSkipped),
        when_newer=st.sampled_from(WhenNewer),
        recheck=SECONDS.map(lambda seconds: seconds + 1),
        wait=SECONDS,
        **own,
    )


ELSEWHERE = dependencies(
    NAMES.map(lambda name: f"else where.{name}"),
    namespace=st.none() | st.just("other"),
    external=st.booleans(),
)


@st.composite
def batches(draw: st.DrawFn) -> Pipeline:
    """Batches with tasks that come after some of those before them."""
    names = draw(st.lists(NAMES, min_size=1, max_size=5, unique=True))
    clusters = draw(st.lists(NAMES, max_size=2, unique=True))
    tasks = []
    for number, name in enumerate(names):
        after = draw(st.lists(st.sampled_from(names[:number]), unique=True)) if number else []
        beside = [draw(dependencies(st.just(parent))) for parent in after]
        other = draw(st.lists(ELSEWHERE, max_size=2, unique_by=lambda one: one.job))
        tasks.append(
            Task(
                name=name,
                work=draw(WORK),
                after=tuple(after),
                retries=draw(st.integers(0, 3)),
                retry_delay=draw(SECONDS),
                timeout=draw(st.none() | SECONDS.map(lambda seconds: seconds + 1)),
                freshness=draw(TERMS | st.just(TODAY)),
                dependencies=(*beside, *other),
                cluster=draw(st.sampled_from([None, *clusters])),
            )
        )
    return Pipeline(
        name="daily",
        namespace=draw(st.sampled_from(["default", "other one"])),
        tasks=tuple(tasks),
        parameters=(Parameter(name="limit", type="int", default=draw(st.integers(0, 9))),),
        concurrency=draw(st.integers(1, 9)),
        spark=draw(st.dictionaries(NAMES, NAMES, max_size=2)),
        description=draw(st.none() | NAMES),
        batch=True,
        clusters=tuple(
            Cluster(name=name, spark={"a": "b"}, create=draw(PROGRAMS), destroy=draw(PROGRAMS))
            for name in clusters
        ),
    )


def terms(of: Freshness) -> dict[str, Any]:
    """Terms as JSON has them."""
    said = {
        "maxAge": of.max_age,
        "since": of.since,
        "zone": of.zone,
        "counts": of.counts,
        "partition": "any" if of.any_partition else None,
        "unchanged": of.unchanged or None,
    }
    return {key: value for key, value in said.items() if value is not None}


def edge(of: Dependency) -> dict[str, Any]:
    """A parent as JSON has it."""
    own = {"namespace": of.namespace} if of.namespace else {}
    said = {"whenSkipped": of.when_skipped, "external": of.external, "whenNewer": of.when_newer}
    return terms(of.freshness) | said | {"recheck": of.recheck, "wait": of.wait} | own


def task(of: Task) -> dict[str, Any]:
    """A task as JSON has it."""
    work: dict[str, Any] = {}
    if isinstance(of.work, CommandTask):
        work = {"command": of.work.command}
    elif isinstance(of.work, SqlTask):
        work = {"sql": of.work.sql, "target": of.work.target, "mode": of.work.mode}
    said = {
        **work,
        "retries": of.retries,
        "retryDelay": of.retry_delay,
        "timeout": of.timeout,
        "freshness": terms(of.freshness or TODAY),
        "cluster": of.cluster,
        "dependenciesWithMeta": {one.job: edge(one) for one in of.dependencies},
    }
    return {key: value for key, value in said.items() if value is not None}


def written(batch: Pipeline) -> dict[str, Any]:
    """A batch as JSON has it."""
    clusters = {
        one.name: {
            "conf": one.spark,
            **({"create": one.create} if one.create else {}),
            **({"destroy": one.destroy} if one.destroy else {}),
        }
        for one in batch.clusters
    }
    said = {
        "batch": batch.name,
        "namespace": batch.namespace,
        "tasks": {one.name: task(one) for one in batch.tasks},
        "params": {one.name: one.default for one in batch.parameters},
        "concurrency": batch.concurrency,
        "spark": {"conf": batch.spark},
        "description": batch.description,
        "clusters": clusters,
    }
    return {key: value for key, value in said.items() if value is not None}


@settings(max_examples=50, deadline=None, suppress_health_check=list(HealthCheck))
@given(batches())
def test_a_batch_written_as_json_states_the_same(batch: Pipeline) -> None:
    with TemporaryDirectory() as folder:
        found = read(Path(folder), written(batch))
    assert structure_hash(found) == structure_hash(batch)
