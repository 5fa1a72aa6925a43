"""Two pipelines are compared as they are stated, whatever the order that they list things in."""

from msgspec.structs import replace

from lineagegraph.model.change import Change
from lineagegraph.model.freshness.terms import TODAY, Dependency, Freshness
from lineagegraph.model.pipelines.definition import (
    Cluster,
    CommandTask,
    GroupTask,
    Parameter,
    Pipeline,
    PipelineTask,
    PythonTask,
    Task,
)
from lineagegraph.model.pipelines.definition_diff import (
    FieldDiff,
    PartDiff,
    diff_pipelines,
    task_paths,
)
from lineagegraph.model.runs.states import RunState
from lineagegraph.model.triggers.condition import OnCron, OnStatus
from lineagegraph.model.triggers.trigger import Trigger


def task(name: str, *after: str, command: str = "true") -> Task:
    return Task(name=name, work=CommandTask(command=(command,)), after=after)


def stated(*tasks: Task, **rest: object) -> Pipeline:
    return Pipeline(name="p", namespace="n", tasks=tasks, **rest)  # type: ignore[arg-type]


def test_equal_pipelines_do_not_differ() -> None:
    assert diff_pipelines(stated(task("a")), stated(task("a"))).is_same


def test_tasks_in_groups_and_nested_pipelines_are_told_by_their_paths() -> None:
    inner = [stated(task("x", command=command)) for command in ("one", "two")]
    before, after = (
        stated(
            Task(name="g", work=GroupTask(tasks=(task("a"), *more))),
            Task(name="q", work=PipelineTask(pipeline=nested, params={"day": number})),
        )
        for number, (more, nested) in enumerate(zip(((), (task("b"),)), inner, strict=True))
    )
    assert diff_pipelines(before, after).tasks == (
        PartDiff("q", Change.CHANGED, (FieldDiff("params", {"day": 0}, {"day": 1}),)),
        PartDiff("q.x", Change.CHANGED, (FieldDiff("command", ("one",), ("two",)),)),
        PartDiff("g.b", Change.ADDED),
    )
    assert task_paths(after) == ["g", "g.a", "g.b", "q", "q.x"]


def test_another_kind_of_task_is_the_same_task_changed() -> None:
    work = PythonTask(module="m", qualname="f")
    found = diff_pipelines(stated(task("a")), stated(Task(name="a", work=work)))
    (part,) = found.tasks
    assert (part.change, part.fields[0]) == (
        Change.CHANGED,
        FieldDiff("runs", "command", "python"),
    )


def test_arguments_in_another_order_are_the_same() -> None:
    both = (
        stated(Task(name="a", work=PythonTask(module="m", qualname="f", arguments=names)))
        for names in (("x", "y"), ("y", "x"))
    )
    assert diff_pipelines(*both).is_same


def test_a_default_is_a_change_of_its_parameter() -> None:
    both = (
        stated(task("a"), parameters=(Parameter(name="day", type="int", default=day),))
        for day in (1, 2)
    )
    assert diff_pipelines(*both).parameters == (
        PartDiff("day", Change.CHANGED, (FieldDiff("default", 1, 2),)),
    )


def test_a_trigger_is_told_by_its_name_and_its_condition_in_words() -> None:
    cron = OnCron(cron="0 2 * * *", zone="UTC")
    job = OnStatus(job="other", statuses=(RunState.COMPLETED,))
    before = stated(task("a"), triggers=(Trigger(when=cron),))
    after = stated(task("a"), triggers=(Trigger(when=job), Trigger(when=cron, name="nightly")))
    changed, added = diff_pipelines(before, after).triggers
    assert (changed.name, changed.fields[0].after) == ("p", "other COMPLETED")
    assert added == PartDiff("nightly", Change.ADDED)


def test_terms_parents_and_clusters_of_a_batch_are_told_in_words() -> None:
    """Each parent is a field of its own, whose value is its terms."""
    work = CommandTask(command=("true",))
    other = Dependency(job="finance.fx", namespace="bank", freshness=Freshness(max_age=86400.0))
    before = Pipeline(
        name="p",
        namespace="n",
        batch=True,
        tasks=(Task(name="a", work=work, freshness=TODAY, dependencies=(other,)),),
        clusters=(Cluster(name="emr", spark={"spark.master": "yarn"}),),
    )
    task = Task(
        name="a",
        work=work,
        freshness=Freshness(max_age=3600.0),
        dependencies=(replace(other, wait=60.0),),
    )
    found = diff_pipelines(before, replace(before, tasks=(task,), clusters=()))
    (changed,) = found.tasks
    assert changed.fields == (
        FieldDiff("freshness", "since day", "max age 1h"),
        FieldDiff("depends on finance.fx of bank", "max age 1d", "max age 1d, waits 1m"),
    )
    assert [one.name for one in found.settings] == ["cluster emr"]
