"""`schedule add|update` as a user types them."""

import shlex
from pathlib import Path

import msgspec
import pytest

from lineagegraph.graph import Graph
from lineagegraph.model.triggers.constraint import Concurrency, NotFailing
from lineagegraph.model.triggers.trigger import Trigger
from lineagegraph.neo4j_server import ServerAddress
from tests.acceptance.processes import Commands, shared
from tests.acceptance.schedules.projects import make_projects

NIGHTLY = "nightly for workflow report"
LOADED = "after program load type workflow status completed"


@pytest.fixture
def commands(server: ServerAddress, graph: Graph, tmp_path: Path) -> Commands:
    make_projects(graph)
    return Commands(tmp_path, shared(server, tmp_path / "home"))


def schedule(graph: Graph) -> tuple[bool, Trigger]:
    (row,) = graph.query("MATCH (t:Trigger {name: 'nightly'}) RETURN t.enabled AS on, t.rule AS r")
    return row["on"], msgspec.json.decode(row["r"], type=Trigger)


def test_a_sentence_makes_a_schedule_and_another_changes_it(
    commands: Commands, graph: Graph
) -> None:
    said = [*NIGHTLY.split(), "description", "After the load", *LOADED.split()]
    rest = ["concurrency", "1", "not-failing", "load.read", "properties", '{"month": 2}']
    added = commands("schedule", "add", *said, *rest)
    assert added.returncode == 0, added.stderr
    assert "enable it with `lineagegraph trigger enable nightly`" in added.stdout
    is_on, rule = schedule(graph)
    assert (is_on, rule.description, rule.properties) == (False, "After the load", {"month": 2})
    watched = msgspec.to_builtins(rule.when)
    assert watched["application"] == "shop"
    assert watched["namespace"] == "default"
    assert rule.constraints == (Concurrency(limit=1), NotFailing(job="load.read"))
    again = commands("schedule", "add", *said)
    assert (again.returncode, "already" in again.stderr) == (1, True)
    spark = ["after", "program", "load.read", "type", "spark", "status", "failed", "or", "killed"]
    assert commands("schedule", "update", *NIGHTLY.split(), *spark).returncode == 0
    _, rule = schedule(graph)
    assert msgspec.to_builtins(rule.when)["job"] == "load.read"
    assert msgspec.to_builtins(rule.when)["statuses"] == ("FAILED", "KILLED")
    assert (rule.description, len(rule.constraints)) == ("After the load", 2)


def test_the_versions_of_the_seed_are_typed_and_schedules_are_listed_and_deleted(
    commands: Commands, graph: Graph
) -> None:
    said = f"{NIGHTLY} version -SNAPSHOT after program load type workflow".split()
    watched = "status failing or killed namespace default application shop version -SNAPSHOT"
    rest = watched.split()
    added = commands("schedule", "add", *said, *rest)
    assert added.returncode == 0, added.stderr
    assert msgspec.to_builtins(schedule(graph)[1].when)["statuses"] == ("FAILED", "KILLED")
    listed = commands("schedule", "list", "report").stdout
    assert "nightly" in listed
    assert "load FAILED or KILLED" in " ".join(listed.split())
    assert commands("schedule", "delete", "nightly").returncode == 0
    again = commands("schedule", "delete", "nightly")
    assert (again.returncode, "no schedule 'nightly'" in again.stderr) == (1, True)
    assert "no schedules yet" in commands("schedule", "list").stderr


WHOLE = """
nightly for workflow report version -SNAPSHOT description "optional"
after program pay type workflow status completed or failed
namespace money application bank version -SNAPSHOT concurrency 3 properties {"month":"2"}
"""


@pytest.mark.parametrize("verb", ["add", "update"])
def test_each_optional_word_of_the_sentence_has_its_place(
    commands: Commands, graph: Graph, verb: str
) -> None:
    """The sentence of the design with nothing left out, in its order."""
    if verb == "update":
        assert commands("schedule", "add", *f"{NIGHTLY} {LOADED}".split()).returncode == 0
    said = commands("schedule", verb, *typed(WHOLE))
    assert said.returncode == 0, said.stderr
    is_on, rule = schedule(graph)
    watched = msgspec.to_builtins(rule.when)
    assert (watched["job"], watched["namespace"], watched["application"]) == (
        "pay",
        "money",
        "bank",
    )
    assert watched["statuses"] == ("COMPLETED", "FAILED")
    assert (is_on, rule.description, rule.properties) == (False, "optional", {"month": "2"})
    assert rule.constraints == (Concurrency(limit=3),)


def typed(sentence: str) -> list[str]:
    """Return the words as a shell gives them."""
    return shlex.split(sentence.replace('{"month":"2"}', """'{"month":"2"}'"""))


@pytest.mark.parametrize(
    ("verb", "words", "said"),
    [
        ("update", f"{NIGHTLY} {LOADED}", "no schedule 'nightly'"),
        ("add", f"nightly for spark report {LOADED}", "only WORKFLOW"),
        ("add", f"{NIGHTLY} {LOADED} application bank", "no application 'bank'"),
    ],
)
def test_what_cannot_be_is_one_line_and_nothing_is_stored(
    commands: Commands, graph: Graph, verb: str, words: str, said: str
) -> None:
    refused = commands("schedule", verb, *words.split())
    assert (refused.returncode, said in refused.stderr) == (1, True), refused.stderr
    assert refused.stderr.count("\n") == 1
    assert graph.query("MATCH (t:Trigger) RETURN count(t) AS n") == [{"n": 0}]
