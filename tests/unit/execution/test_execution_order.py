from threading import Barrier, Event

from hypothesis import given, settings
from hypothesis import strategies as st

from lineagegraph.model.runs.states import RunState


def test_a_task_starts_after_all_that_it_names_have_ended(bench):
    seen = []
    state = bench.run(
        bench.task(lambda: seen.append("c"), name="c", after=("a", "b")),
        bench.task(lambda: seen.append("b"), name="b", after=("a",)),
        bench.task(lambda: seen.append("a"), name="a"),
    )
    assert (state, seen) == (RunState.COMPLETED, ["a", "b", "c"])


def test_independent_tasks_run_at_the_same_time(bench):
    barrier = Barrier(3, timeout=10)
    state = bench.run(*(bench.task(barrier.wait, name=n) for n in "abc"), concurrency=3)
    assert state is RunState.COMPLETED


def test_never_more_tasks_run_than_the_pipeline_allows_in_all_its_groups(bench):
    running, most = set(), []

    def work(name, go):
        running.add(name)
        most.append(len(running))
        go.wait(0.02)
        running.discard(name)

    def tasks(prefix):
        return [
            bench.task(lambda n=f"{prefix}{i}": work(n, Event()), name=f"{prefix}{i}")
            for i in range(4)
        ]

    groups = [bench.group(name, bench.group("inner", *tasks(name))) for name in "xyz"]
    assert bench.run(*groups, concurrency=2) is RunState.COMPLETED
    assert max(most) == 2
    assert len(most) == 12


def test_groups_inside_groups_do_not_starve_with_one_permit(bench):
    seen = []
    innermost = bench.task(lambda: seen.append(1), name="t")
    task = innermost
    for depth in range(20):
        task = bench.group(f"g{depth}", task)
    assert bench.run(task, concurrency=1) is RunState.COMPLETED
    assert seen == [1]


def test_a_long_chain_that_cannot_run_ends(bench):
    def fail():
        raise ValueError("no")

    chain = [bench.task(fail, name="t0")]
    chain += [bench.task(fail, name=f"t{i}", after=(f"t{i - 1}",)) for i in range(1, 600)]
    assert bench.run(*chain) is RunState.FAILED
    assert sum(line.endswith("FAIL") for line in bench.story) == 601


def test_only_the_chosen_tasks_run_and_in_their_order(bench):
    seen = []
    tasks = [
        bench.task(lambda: seen.append("c"), name="c", after=("b",)),
        bench.task(lambda: seen.append("b"), name="b", after=("a",)),
        bench.task(lambda: seen.append("a"), name="a"),
        bench.group("g", *(bench.task(lambda n=n: seen.append(n), name=n) for n in "de")),
    ]
    assert bench.run(*tasks, only=("c", "a", "g.e"), concurrency=1) is RunState.COMPLETED
    assert sorted(seen) == ["a", "c", "e"]
    assert seen.index("a") < seen.index("c")
    assert not [line for line in bench.story if line.startswith(("p.b", "p.g.d"))]


@st.composite
def dags(draw):
    size = draw(st.integers(1, 9))
    names = [f"t{i}" for i in range(size)]
    edges = [
        draw(st.sets(st.sampled_from(names[:i]), max_size=3)) if i else set() for i in range(size)
    ]
    bad = draw(st.sets(st.sampled_from(names), max_size=2))
    order = draw(st.permutations(range(size)))
    return [(names[i], tuple(sorted(edges[i])), names[i] in bad) for i in order]


@settings(max_examples=30, deadline=None)
@given(dag=dags(), concurrency=st.integers(1, 4))
def test_any_graph_of_tasks_runs_in_order_each_once_and_never_behind_a_failure(
    tmp_path_factory, new_bench, dag, concurrency
):
    bench = new_bench(tmp_path_factory.mktemp("run"))
    seen = []

    def work(name, fails):
        seen.append(name)
        if fails:
            raise ValueError(name)

    tasks = [
        bench.task(lambda n=name, f=fails: work(n, f), name=name, after=after)
        for name, after, fails in dag
    ]
    state = bench.run(*tasks, concurrency=concurrency)
    after = {name: before for name, before, _ in dag}
    fails = {name for name, _, bad in dag if bad}
    completed = set()
    for name in sorted(after, key=lambda name: int(name[1:])):
        if name not in fails and completed.issuperset(after[name]):
            completed.add(name)
    may_run = {name for name in after if completed.issuperset(after[name])}
    assert sorted(seen) == sorted(may_run)
    assert all(seen.index(before) < seen.index(name) for name in seen for before in after[name])
    assert (state is RunState.COMPLETED) == (len(completed) == len(after))
    ends = [e["job"]["name"] for e in bench.events if e["eventType"] in ("COMPLETE", "FAIL")]
    assert sorted(ends) == sorted(["p", *(f"p.{name}" for name in after)])
