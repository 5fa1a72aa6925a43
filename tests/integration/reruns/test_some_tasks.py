"""Some tasks of a run: those that failed and what follows them, from one on, or the named ones."""

import pytest

from lineagegraph.admin.variables import set_variable
from lineagegraph.backfills.advance import advance_backfills
from lineagegraph.backfills.start import preview_backfill, start_backfill
from lineagegraph.cli.show.log_printer import choose_task
from lineagegraph.errors import RerunRefused
from lineagegraph.model.pipelines.definition import CommandTask, GroupTask, Pipeline, Task
from lineagegraph.model.pipelines.hierarchy import leaves, with_followers
from lineagegraph.model.runs.rerun import RerunRequest
from lineagegraph.model.runs.states import RunState
from lineagegraph.model.triggers.backfill import BackfillSpan
from lineagegraph.queries.find.find import find_job
from lineagegraph.queries.runs.hierarchy import read_run_tree
from lineagegraph.reruns.plan import plan_rerun
from lineagegraph.reruns.start import start_rerun
from lineagegraph.runs.cancel import cancel_run
from lineagegraph.runs.mark import mark_run

STEPS = """
SAY = "echo NAME >> OUT/log; test ! -e OUT/NAME.bad && cp OUT/NAME.json $LINEAGEGRAPH_EMIT"

def step(name, after=()):
    return lg.command(name, ["sh", "-c", SAY.replace("NAME", name)], after=after)

a, b, c = step("a"), step("b", ["a"]), step("c", ["b"])
d = step("d", ["a"])
lg.pipeline("steps", tasks=[a, b, c, d])
"""


@pytest.fixture
def out(project):
    folder = project.folder.parent / "out"
    folder.mkdir()
    for name in "abcd":
        (folder / f"{name}.json").write_text(f'{{"from": "{name}"}}')
    project.state(STEPS.replace("OUT", str(folder)))
    return folder


def ran(out):
    """Return what ran since the last look."""
    names = (out / "log").read_text().split()
    (out / "log").unlink()
    return sorted(names)


def test_what_failed_runs_again_with_what_follows_it(project, out):
    (out / "b.bad").touch()
    run = project.run("steps")
    assert ran(out) == ["a", "b", "d"]
    again = project.rerun(run, policy="as_was", from_failed=True)
    assert ran(out) == ["b"]
    (out / "b.bad").unlink()
    whole = project.rerun(again, policy="as_was", from_failed=True)
    assert ran(out) == ["b", "c"]
    emitted = project.graph.query("MATCH (r:Run {id: $id}) RETURN r.emitted AS e", {"id": whole})
    assert emitted[0]["e"].count('"from"') == 4, "what a and d emitted before counts"
    with pytest.raises(RerunRefused, match=r"no task of run .* failed"):
        project.rerun(whole, policy="as_was", from_failed=True)


def test_what_follows_a_failed_task_runs_after_a_mark_without_that_task(project, out):
    (out / "b.bad").touch()
    run = project.run("steps")
    assert ran(out) == ["a", "b", "d"]
    tree = read_run_tree(project.graph, run)
    mark_run(project.graph, choose_task(tree, "b").item.id, RunState.COMPLETED, "done by hand")
    project.rerun(run, policy="as_was", from_failed=True)
    assert ran(out) == ["c"]


TAKEN = """
@lg.task
def count() -> int:
    raise ValueError("down")

@lg.task(takes={"number": count.output})
def report(number: int | None):
    assert number is None

lg.pipeline("taken", tasks=[count, report])
"""


def test_a_task_that_takes_the_value_of_a_marked_task_gets_none(project):
    project.state(TAKEN)
    run = project.run("taken")
    tree = read_run_tree(project.graph, run)
    mark_run(project.graph, choose_task(tree, "count").item.id, RunState.COMPLETED, "by hand")
    again = project.rerun(run, policy="as_was", from_failed=True)
    assert project.tasks(again) == {"report": "COMPLETED"}


def test_tasks_are_named_or_begun_with(project, out):
    run = project.run("steps")

    def tasks(**request):
        asked = RerunRequest(run=run, policy="as_was", **request)
        return plan_rerun(project.graph, project.settings, asked).tasks

    assert tasks() == ()
    assert tasks(tasks=("a", "d")) == ("a", "d")
    assert tasks(from_task="b") == ("b", "c")
    with pytest.raises(RerunRefused, match=r"steps has no task 'z' .*; it has a, b, c, d"):
        tasks(tasks=("z",))
    with pytest.raises(RerunRefused, match="give only one of"):
        tasks(tasks=("a",), from_failed=True)
    assert ran(out) == ["a", "b", "c", "d"]
    part = project.rerun(run, policy="as_was", tasks=("d",))
    assert ran(out) == ["d"]
    project.rerun(part, policy="as_was")
    assert ran(out) == ["d"], "a part that runs again is the same part"


def test_what_follows_goes_through_groups():
    def task(name, after=(), tasks=()):
        work = GroupTask(tasks=tuple(tasks)) if tasks else CommandTask(command=("true",))
        return Task(name=name, after=tuple(after), work=work)

    group = task("g", ["a"], [task("x"), task("y", ["x"]), task("z")])
    pipeline = Pipeline(name="p", namespace="n", tasks=(task("a"), group, task("b", ["g"])))
    assert leaves(pipeline) == ("a", "g.x", "g.y", "g.z", "b")
    assert with_followers(pipeline, ["g.x"]) == ("g.x", "g.y", "b")
    assert with_followers(pipeline, ["g.z"]) == ("g.z", "b")
    assert with_followers(pipeline, ["a"]) == ("a", "g", "b")
    assert with_followers(pipeline, ["g"]) == ("g", "b")
    assert with_followers(pipeline, ["b"]) == ("b",)


ADDED = """
from pathlib import Path

OUT = Path("FOLDER")

@lg.task
def load(number: int):
    with (OUT / "log").open("a") as log:
        log.write(f"load{number} ")
    if (OUT / f"{number}.bad").exists():
        raise ValueError(number)

@lg.task
def find():
    with (OUT / "log").open("a") as log:
        log.write("find ")
    lg.expand(load, number=[0, 1, 2])

lg.pipeline("added", tasks=[find])
"""


def test_of_tasks_that_a_task_added_those_that_failed_run_again(project, tmp_path):
    out = tmp_path / "out"
    out.mkdir()
    project.state(ADDED.replace("FOLDER", str(out)))
    (out / "1.bad").touch()
    run = project.run("added")
    assert ran(out) == ["find", "load0", "load1", "load2"]
    (out / "1.bad").unlink()
    again = project.rerun(run, policy="as_was", from_failed=True)
    assert ran(out) == ["load1"]
    project.rerun(again, policy="as_was", from_task="find")
    assert ran(out) == ["find", "load0", "load1", "load2"], "who runs again adds them again"


def test_what_only_runs_after_a_failure_stays_skipped(project):
    project.state(
        """
load = lg.command("load", ["true"])
alert = lg.command("alert", ["true"], after=[load], when="one_failed")
told = lg.command("told", ["true"], after=[alert])
report = lg.command("report", ["false"], after=[load])
lg.pipeline("watched", tasks=[load, alert, told, report])
"""
    )
    run = project.run("watched")
    again = project.rerun(run, policy="as_was", from_failed=True)
    assert project.tasks(again) == {"report": "FAILED"}


HALVES = """
a = lg.command("a", ["sh", "-c", "echo a >> OUT/log"])
b = lg.command("b", ["sh", "-c", "echo b >> OUT/log; test ! -e OUT/b.bad"], after=[a])
lg.pipeline("halves", tasks=[a, b], params={"region": str}, partition_by=["region"])
"""


@pytest.fixture
def halves(project, out):
    project.state(HALVES.replace("OUT", str(out)), "halves.py")
    return find_job(project.graph, "halves").key


def left_out(project, key):
    """Return the regions that a backfill of all would leave out."""
    span = BackfillSpan(values={"region": ["EU", "US"]})
    plan = preview_backfill(project.graph, key, span)
    return [one.params["region"] for one in plan if not one.will_run]


def test_a_run_of_some_tasks_does_not_complete_its_partition(project, halves):
    project.run("halves", only=["a"], region="EU")
    project.run("halves", region="US")
    assert left_out(project, halves) == ["US"]
    started = start_backfill(project.graph, halves, BackfillSpan(values={"region": ["EU", "US"]}))
    assert started.to_run == 1
    project.run("halves", only=["a", "b"], region="EU")
    assert left_out(project, halves) == ["EU", "US"]
    assert advance_backfills(project.graph) == 0


def test_a_rerun_of_what_failed_completes_its_partition(project, halves, out):
    (out / "b.bad").touch()
    failed = project.run("halves", region="EU")
    (out / "b.bad").unlink()
    project.rerun(failed, policy="as_was", tasks=("a",))
    assert left_out(project, halves) == []
    project.rerun(failed, policy="as_was", from_failed=True)
    assert left_out(project, halves) == ["EU"]


COUNTED = """
@lg.task
def count() -> int:
    return 7

@lg.task
def spread():
    lg.expand(lambda part: None, name="part", part=["x"])

@lg.task(takes={"number": count.output})
def report(number: int | None):
    assert number == 7

lg.pipeline("counted", tasks=[count, spread, report])
"""


@pytest.mark.parametrize("policy", ["latest", "as_was"])
def test_a_rerun_of_a_part_that_never_began_has_what_the_first_run_did(project, policy):
    project.state(COUNTED)
    first = project.run("counted")
    asked = RerunRequest(run=first, policy=policy, tasks=("report", "part.0"))
    killed = start_rerun(project.graph, project.settings, asked).run
    project.graph.write(cancel_run, killed)
    again = project.rerun(killed, policy="latest")
    assert project.tasks(again) == {"report": "COMPLETED", "part": "COMPLETED", "0": "COMPLETED"}
    failed = RerunRequest(run=killed, policy="latest", from_failed=True)
    plan = plan_rerun(project.graph, project.settings, failed)
    assert plan.tasks == ("report", "part.0"), "it was to repeat them and did not"


SPREAD = """
def part(part):
    assert part == "good"

@lg.task
def spread():
    if not lg.variable("alone", default=False):
        lg.expand(part, part=["good", "bad"])

@lg.task(after=spread)
def report():
    raise ValueError("broken")

lg.pipeline("spreading", tasks=[spread, report])
"""


def test_what_a_task_added_before_is_gone_once_it_ran_again_and_added_nothing(project):
    project.state(SPREAD)
    first = project.run("spreading")
    assert project.tasks(first)["1"] == "FAILED"
    set_variable(project.graph, "alone", True)
    again = project.rerun(first, policy="latest", from_task="spread")
    assert project.tasks(again) == {"spread": "COMPLETED", "report": "FAILED"}
    failed = RerunRequest(run=again, policy="latest", from_failed=True)
    assert plan_rerun(project.graph, project.settings, failed).tasks == ("report",)
    last = project.rerun(again, policy="latest", from_failed=True)
    assert project.tasks(last) == {"report": "FAILED"}
