"""Five tasks then, ten now: a rerun takes the code that its policy names."""

import pytest

from lineagegraph.errors import RerunAsks, RerunRefused
from lineagegraph.model.runs.rerun import RerunRequest
from lineagegraph.reruns.plan import choices, plan_rerun
from tests.project import Project

GENERATED = """
def write(number):
    command = f"printf '{word} {{number}}' > {out}/{{number}}.txt"
    return lg.command(f"task_{{number}}", ["sh", "-c", command])

lg.pipeline("many", tasks=[write(n) for n in range({count})], params={{"month": 1}}, {rest})
"""


class Many:
    """A pipeline with as many tasks as are generated, each of which writes a file."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self.out = project.folder.parent / "out"
        self.out.mkdir()

    def state(self, count: int, word: str, rest: str = "") -> None:
        text = GENERATED.format(out=self.out, count=count, word=word, rest=rest)
        self.project.state(text)

    def written(self) -> dict[str, str]:
        """Return what is there, and begin anew."""
        found = {file.name: file.read_text() for file in self.out.iterdir()}
        for file in self.out.iterdir():
            file.unlink()
        return found


@pytest.fixture
def many(project):
    return Many(project)


def test_each_policy_runs_the_code_that_it_names(many):
    project = many.project
    many.state(5, "old")
    old = project.run("many")
    first = many.written()
    assert first == {f"{n}.txt": f"old {n}" for n in range(5)}
    then = plan_rerun(project.graph, project.settings, RerunRequest(run=old, policy="as_was"))
    assert (then.differences, then.missing) == ((), ())

    many.state(10, "new")
    (project.folder / "flows.py").unlink()
    as_was = project.rerun(old, policy="as_was")
    assert many.written() == first
    assert list(project.tasks(as_was)) == [f"task_{n}" for n in range(5)]

    latest = project.rerun(as_was, policy="latest")
    assert many.written() == {f"{n}.txt": f"new {n}" for n in range(10)}
    assert len(project.tasks(latest)) == 10

    pinned = project.rerun(latest, policy=f"pinned:{then.version[:10]}")
    assert many.written() == first

    links = project.graph.query(
        "MATCH (r:Run)-[:RERUN_OF]->(o:Run) "
        "RETURN r.id AS run, o.id AS of, r.rerun_number AS number, r.rerun_policy AS policy "
        "ORDER BY number"
    )
    assert [tuple(row.values()) for row in links] == [
        (as_was, old, 1, "as_was"),
        (latest, as_was, 2, "latest"),
        (pinned, latest, 3, f"pinned:{then.version[:10]}"),
    ]


def test_what_is_other_is_listed_before_it_starts(many):
    project = many.project
    many.state(2, "old")
    run = project.run("many", month=3)
    many.state(3, "new")
    asked = RerunRequest(run=run, policy="latest", params={"month": "4"})
    plan = plan_rerun(project.graph, project.settings, asked)
    found = {(one.what, one.name): (one.before, one.after) for one in plan.differences}
    assert found[("parameter", "month")] == (3, 4)
    assert found[("task", "task_2")] == (None, "there")
    assert {what for what, _ in found} >= {"version", "code", "task", "parameter"}
    assert not project.graph.query("MATCH (r:Run)-[:RERUN_OF]->() RETURN r")


def test_the_first_level_that_says_a_policy_counts(many):
    project = many.project
    many.state(1, "x")
    run = project.run("many")

    def settled(asked=None, **settings):
        said = project.settings.model_copy(update=settings)
        return plan_rerun(project.graph, said, RerunRequest(run=run, policy=asked)).policy

    with pytest.raises(
        RerunAsks, match="choose the code for the rerun by a policy: as_was, latest, pinned:VERSION"
    ):
        settled()
    assert settled(rerun_policy="latest") == "latest"
    many.state(1, "x", rest='rerun="as_was"')
    assert settled(rerun_policy="latest") == "as_was"
    assert settled("latest", rerun_policy="as_was") == "latest"
    many.state(1, "x", rest='rerun="ask"')
    with pytest.raises(RerunAsks):
        settled(rerun_policy="latest")
    asked = RerunRequest(run=run)
    assert [plan.policy for plan in choices(project.graph, project.settings, asked)] == [
        "as_was",
        "latest",
    ]


@pytest.mark.parametrize(
    ("policy", "why"),
    [
        ("newest", "'newest' is not a rerun policy: use as_was"),
        ("pinned:", "'pinned:' is not a rerun policy"),
        ("pinned:abcdef12", "many has no version abcdef12"),
    ],
)
def test_a_policy_that_names_no_code_is_refused(many, policy, why):
    many.state(1, "x")
    run = many.project.run("many")
    with pytest.raises(RerunRefused, match=why):
        many.project.rerun(run, policy=policy)
