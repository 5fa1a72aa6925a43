"""Tasks that a running task puts behind itself: when they run, with what, and what is refused."""

from contextlib import suppress
from datetime import date
from threading import Barrier

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import lineagegraph as lg
from lineagegraph.errors import RunError
from lineagegraph.model.pipelines.definition import Parameter, Pipeline
from lineagegraph.model.pipelines.expansion import expanded
from lineagegraph.model.runs.states import RunState


def adding(bench, *calls, **rest):
    """A task `list` that calls each of `calls`."""
    return bench.task(lambda: [call() for call in calls], name="list", **rest)


def faults(bench, job="p.list"):
    return bench.event(job, "FAIL")["run"]["facets"]["errorMessage"]["message"]


def test_added_tasks_run_behind_their_caller_and_before_what_followed_it(bench):
    seen = []

    def load(path):
        seen.append(path)

    state = bench.run(
        adding(bench, lambda: lg.expand(load, path=["a", "b", "c"])),
        bench.task(lambda: seen.append("report"), name="report", after=("list",)),
        concurrency=1,
    )
    assert (state, seen) == (RunState.COMPLETED, ["a", "b", "c", "report"])
    assert bench.story == [
        "p START", "p.list START", "p.list COMPLETE", "p.load START",
        "p.load.0 START", "p.load.0 COMPLETE", "p.load.1 START", "p.load.1 COMPLETE",
        "p.load.2 START", "p.load.2 COMPLETE", "p.load COMPLETE",
        "p.report START", "p.report COMPLETE", "p COMPLETE",
    ]  # fmt: skip
    assert bench.own("p.load.1", "START")["params"] == {"path": "b"}
    [kept] = bench.expander.kept
    assert (kept.path, kept.behind) == ("load", ("list",))
    assert [row["path"] for row in kept.work.values] == ["a", "b", "c"]


def test_they_are_recorded_before_their_caller_is_said_to_have_completed(bench):
    def record(expansions, codes):
        assert "p.list COMPLETE" not in bench.story
        bench.expander.kept.extend(expansions)

    bench.expander.record = record
    assert bench.run(adding(bench, lambda: lg.expand(lambda n: n, name="say", over=[]))) is (
        RunState.COMPLETED
    )
    assert len(bench.expander.kept) == 1


def test_they_get_their_own_values_the_pipelines_parameters_and_spark(bench):
    seen = []

    def load(spark, month, day, tags, limit=7):
        seen.append((spark, month, day, tags, limit))

    bench.run(
        adding(bench, lambda: lg.expand(load, day=[date(2026, 1, 2)], tags=[["x", {"y": None}]])),
        params={"month": 3},
        parameters=(Parameter(name="month", type="int"),),
    )
    assert seen == [("the session", 3, date(2026, 1, 2), ["x", {"y": None}], 7)]


def test_tasks_follow_from_the_value_that_a_run_has_for_a_parameter(bench):
    seen = []
    split = bench.task(
        lambda parts: lg.expand(lambda part: seen.append(part), name="load", part=range(parts)),
        name="split",
        arguments=("parts",),
    )
    parameters = (Parameter(name="parts", type="int", default=1),)
    bench.run(split, params={"parts": 3}, parameters=parameters, concurrency=1)
    assert seen == [0, 1, 2]


def test_a_value_goes_before_a_parameter_of_the_same_name(bench):
    seen = []
    parameters = (Parameter(name="day", type="date", default="2026-01-01"),)
    keep = adding(
        bench, lambda: lg.expand(lambda day: seen.append(day), name="k", day=["Mon", "Fri"])
    )
    bench.run(keep, params={"day": "2026-01-01"}, parameters=parameters, concurrency=1)
    assert seen == ["Mon", "Fri"]


def test_the_task_keeps_its_retries_and_what_it_may_emit(bench):
    tries = []

    @lg.task(retries=1, emits={"rows": int}, after="whatever")
    def load(path):
        tries.append(path)
        if len(tries) == 1:
            raise OSError("once")
        lg.emit(rows=len(tries))

    state = bench.run(adding(bench, lambda: lg.expand(load, path=["a", "b"])), concurrency=1)
    assert (state, tries) == (RunState.COMPLETED, ["a", "a", "b"])
    assert bench.own("p", "COMPLETE")["emitted"] == {
        "load.0": {"rows": 2},
        "load.1": {"rows": 3},
    }


def test_programs_are_added_with_values_in_braces(bench):
    parameters = (Parameter(name="month", type="int"),)
    bad = lg.command("say", ["echo", "{path} {else}"])
    task = adding(bench, lambda: lg.expand(bad, path=["a"]))
    assert bench.run(task, params={"month": 3}, parameters=parameters) is RunState.FAILED
    assert "{else} is not a parameter" in faults(bench)
    bench = type(bench)(bench.folder)
    say = lg.command(
        "say", ["sh", "-c", 'echo "$1, $LINEAGEGRAPH_PARAM_PATH"', "sh", "{path} of {month}"]
    )
    task = adding(bench, lambda: lg.expand(say, path=["a", "b"]))
    assert bench.run(task, params={"month": 3}, parameters=parameters) is RunState.COMPLETED
    assert "b of 3, b" in bench.log("say.1")


def test_no_values_give_an_empty_group_that_completes(bench):
    def load(path):
        raise AssertionError

    calls = (lambda: lg.expand(load, path=[]), lambda: lg.expand(load, name="more", over=[]))
    last = bench.task(lambda: None, name="last", after=("list",))
    assert bench.run(adding(bench, *calls), last) is RunState.COMPLETED
    assert {"p.load COMPLETE", "p.more COMPLETE", "p.last COMPLETE"} <= set(bench.story)


def test_they_are_called_by_key_where_keys_are_given(bench):
    bench.run(
        adding(
            bench,
            lambda: lg.expand(lambda n: None, name="a", n=[1, 2], keys=["EU", "US"]),
            lambda: lg.expand(lambda n: None, name="b", n=[1, 2], keys="n"),
        )
    )
    jobs = {line.split()[0] for line in bench.story}
    assert {"p.a.EU", "p.a.US", "p.b.1", "p.b.2"} <= jobs


def test_long_keys_that_begin_alike_have_logs_of_their_own(bench):
    keys = ["/data/" + "ü" * 190 + end for end in "ab"]
    say = lambda path: print("path", path[-1])  # noqa: E731
    tasks = adding(bench, lambda: lg.expand(say, name="x", path=keys, keys="path"))
    assert bench.run(tasks) is RunState.COMPLETED
    logs = [file.read_text() for file in (bench.folder / "logs").glob("x.*.log")]
    assert sorted(log.split()[-1] for log in logs) == ["a", "b"]


def test_a_failure_among_them_fails_the_run_and_keeps_back_what_follows(bench):
    def load(n):
        if n == 1:
            raise ValueError("no")

    state = bench.run(
        adding(bench, lambda: lg.expand(load, n=[0, 1, 2])),
        bench.task(lambda: None, name="last", after=("list",)),
        bench.task(lambda: None, name="other"),
    )
    assert state is RunState.FAILED
    assert {"p.load.2 COMPLETE", "p.load FAIL", "p.other COMPLETE"} <= set(bench.story)
    assert bench.own("p.last", "FAIL")["reason"] == "UPSTREAM_FAILED"
    assert "load did not complete" in faults(bench, "p.last")
    assert faults(bench, "p").startswith("load: 1: ValueError")


def test_only_the_attempt_that_completes_adds_tasks(bench):
    tries, seen = [], []

    def load(n):
        seen.append(n)

    def work():
        tries.append(1)
        lg.expand(load, n=[len(tries)] * len(tries))
        if len(tries) < 3:
            raise OSError("again")

    assert bench.run(bench.task(work, name="list", retries=2)) is RunState.COMPLETED
    assert seen == [3, 3, 3]
    assert [one.path for one in bench.expander.kept] == ["load"]
    bench = type(bench)(bench.folder)
    tries.clear()
    assert bench.run(bench.task(work, name="list", retries=1)) is RunState.FAILED
    assert (bench.expander.kept, seen) == ([], [3, 3, 3])


def test_an_added_task_may_add_tasks(bench):
    seen = []

    def part(n, m):
        seen.append((n, m))

    def load(n):
        lg.expand(part, n=[n] * n, m=list(range(n)))

    last = bench.task(lambda: seen.append("last"), name="last", after=("list",))
    assert bench.run(adding(bench, lambda: lg.expand(load, n=[1, 2])), last) is RunState.COMPLETED
    assert sorted(seen[:-1]) == [(1, 0), (2, 0), (2, 1)]
    assert seen[-1] == "last"
    kept = [one.path for one in bench.expander.kept]
    assert (kept[0], sorted(kept[1:])) == ("load", ["load.0.part", "load.1.part"])
    place = bench.event("p.load.1.part.0", "START")["run"]["facets"]["parent"]["job"]["name"]
    assert place == "p.load.1.part"


def test_within_groups_and_nested_pipelines_they_stay_where_their_caller_is(bench):
    def load(n):
        pass

    inner = Pipeline(
        name="inner", namespace="ns", tasks=(adding(bench, lambda: lg.expand(load, n=[1])),)
    )
    tasks = [
        bench.group("g", adding(bench, lambda: lg.expand(load, n=[1]))),
        bench.nested("sub", inner),
    ]
    assert bench.run(*tasks) is RunState.COMPLETED
    assert {"p.g.load.0 COMPLETE", "p.inner.load.0 COMPLETE"} <= set(bench.story)
    assert {one.path for one in bench.expander.kept} == {"g.load", "sub.load"}


def test_they_run_within_the_concurrency_of_their_pipeline(bench):
    barrier = Barrier(3, timeout=10)
    tasks = adding(bench, lambda: lg.expand(lambda n: barrier.wait(), name="w", n=[1, 2, 3]))
    assert bench.run(tasks, concurrency=3) is RunState.COMPLETED


def test_a_run_that_cannot_keep_them_fails_before_one_starts(bench):
    bench.expander.broken = "the disk is full"
    state = bench.run(adding(bench, lambda: lg.expand(lambda n: None, name="load", n=[1])))
    assert state is RunState.FAILED
    assert "the disk is full" in faults(bench)
    assert not [line for line in bench.story if line.startswith("p.load")]


@pytest.mark.parametrize(
    ("call", "fault"),
    [
        (lambda: lg.expand(print, name="x"), "expand() needs values"),
        (lambda: lg.expand(print, name="x", n="abc"), "n='abc' must be a list"),
        (lambda: lg.expand(print, name="x", n=7), "n=7 must be a list"),
        (lambda: lg.expand(print, name="x", n=[1], m=[1, 2]), "n has 1, m has 2"),
        (lambda: lg.expand(print, name="x", over=[{"n": 1}], n=[1]), "not both"),
        (lambda: lg.expand(print, name="x", over=[1]), r"over[0] must be a map"),
        (lambda: lg.expand(print, name="x", over=[{"a b": 1}]), r"over[0] must be a map"),
        (lambda: lg.expand(lambda n: 1, name="x", n=[{1}]), "n of task 0: expected JSON"),
        (lambda: lg.expand(print, name="x", n=[date(2026, 1, 2), None]), "give only dates"),
        (lambda: lg.expand(lambda n: 1, name="x", n=["y" * 70_000]), "give the name of a file"),
        (lambda: lg.expand(lambda n: 1, name="x", n=[1], keys=["a", "b"]), "2 keys for 1 tasks"),
        (lambda: lg.expand(lambda n: 1, name="x", n=[1, 2], keys=["a", "a"]), "2 tasks have"),
        (lambda: lg.expand(lambda n: 1, name="x", n=[1], keys=[""]), "key '' cannot be a name"),
        (lambda: lg.expand(lambda n: 1, name="x", n=[1], keys="m"), "keys='m' is not a value"),
        (lambda: lg.expand(lambda spark: 1, name="x", spark=[1]), "'spark' is reserved"),
        (lambda: lg.expand(lambda m: 1, name="x", n=[1]), "argument 'm' is neither"),
        (lambda: lg.expand(7, n=[1]), "expand(7): give a function"),
        (lambda: lg.expand(lambda n: 1, name="x", n=list(range(101))), "at most 100 are allowed"),
        (lambda: lg.expand(lambda n: 1, name="other", n=[1]), "task 'other' exists already"),
        (lambda: [lg.expand(lambda n: 1, name="x", n=[1]) for _ in "ab"], "'x' exists already"),
    ],
)  # fmt: skip
def test_what_cannot_be_added_fails_the_task_and_says_why(bench, call, fault):
    state = bench.run(adding(bench, call), bench.task(lambda: None, name="other"))
    assert state is RunState.FAILED
    assert fault in faults(bench)
    assert bench.expander.kept == []


def test_all_attempts_and_tasks_of_a_run_share_one_bound(bench):
    bench.expander.most = 3
    tasks = [
        bench.task(lambda n=n: lg.expand(lambda i: i, name=n + "s", i=[1, 2]), name=n) for n in "ab"
    ]
    assert bench.run(*tasks, concurrency=1) is RunState.FAILED
    assert "the run would add 4 tasks" in faults(bench, "p.b")


def test_refused_tasks_do_not_count(bench):
    bench.expander.most = 3

    def again():
        for name in ("other", "x"):
            with suppress(RunError):
                lg.expand(lambda n: n, name=name, n=[1, 2])

    other = bench.task(lambda: None, name="other")
    assert bench.run(adding(bench, again), other) is RunState.COMPLETED
    assert [one.task.name for one in bench.expander.kept] == ["x"]


def test_outside_a_task_there_is_nothing_to_expand():
    with pytest.raises(RunError, match="outside a task"):
        lg.expand(print, n=[1])


def test_a_later_run_of_some_tasks_has_what_an_earlier_one_added(bench):
    def load(n):
        if n == 1:
            raise ValueError("no")

    first = adding(bench, lambda: lg.expand(load, n=[0, 1]))
    assert bench.run(first, bench.task(lambda: None, name="last", after=("list",))) is (
        RunState.FAILED
    )
    again = type(bench)(bench.folder, expansions=tuple(bench.expander.kept))
    again.functions = bench.functions
    seen = []
    tasks = [
        adding(again, lambda: seen.append("list")),
        again.task(lambda: seen.append("last"), name="last", after=("list",)),
    ]
    kept = bench.expander.kept[0].work.each.work
    again.functions[kept.qualname] = lambda n: seen.append(n)
    assert again.run(*tasks, only=("load.1", "last")) is RunState.COMPLETED
    assert seen == [1, "last"]
    assert again.expander.kept == bench.expander.kept
    # Where its caller runs again, it says anew what there is.
    whole = type(bench)(bench.folder, expansions=tuple(bench.expander.kept))
    assert whole.run(adding(whole, lambda: None)) is RunState.COMPLETED
    assert not [line for line in whole.story if line.startswith("p.load")]


@st.composite
def growing_dags(draw):
    size = draw(st.integers(1, 6))
    names = [f"t{i}" for i in range(size)]
    edges = [
        draw(st.sets(st.sampled_from(names[:i]), max_size=3)) if i else set() for i in range(size)
    ]
    adds = [draw(st.lists(st.integers(0, 3), max_size=2)) for _ in names]
    bad = draw(st.sets(st.sampled_from(names), max_size=1))
    order = draw(st.permutations(range(size)))
    return [(names[i], tuple(sorted(edges[i])), adds[i], names[i] in bad) for i in order]


@settings(max_examples=25, deadline=None)
@given(dag=growing_dags(), concurrency=st.integers(1, 4))
def test_any_graph_of_tasks_that_grows_runs_in_the_order_of_the_grown_graph(
    tmp_path_factory, new_bench, dag, concurrency
):
    bench = new_bench(tmp_path_factory.mktemp("run"))
    seen = []

    def work(name, adds):
        seen.append(name)
        for number, count in enumerate(adds):
            group = f"{name}-{number}"
            lg.expand(lambda n, g=group: seen.append(f"{g}.{n}"), name=group, n=list(range(count)))

    def fail(name):
        seen.append(name)
        raise ValueError(name)

    tasks = [
        bench.task(
            (lambda n=name: fail(n)) if bad else (lambda n=name, a=adds: work(n, a)),
            name=name,
            after=after,
        )
        for name, after, adds, bad in dag
    ]
    bench.run(*tasks, concurrency=concurrency)
    grown = expanded(Pipeline(name="p", namespace="ns", tasks=tuple(tasks)), bench.expander.kept)
    after = {task.name: task.after for task in grown.tasks}
    first = {name: i for i, name in reversed(list(enumerate(seen)))}
    ran = {task.name for task in grown.tasks if task.name in first}
    groups = {
        one.path: [f"{one.path}.{key}" for key in one.work.keys] for one in bench.expander.kept
    }
    assert all(leaf in first for leaves in groups.values() for leaf in leaves)
    for name in (*ran, *groups):
        mine = groups.get(name, [name])
        before = [leaf for one in after[name] for leaf in groups.get(one, [one])]
        assert all(first[leaf] < first[one] for leaf in before for one in mine)
    assert len(seen) == len(set(seen))
