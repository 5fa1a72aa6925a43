"""The page about analysis: what it types is typed here, on the sample."""

import re
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import pytest

from lineagegraph.errors import NotFound
from lineagegraph.graph import Graph
from lineagegraph.neo4j_server import ServerAddress
from lineagegraph.notebook import Result, Session
from lineagegraph.notebook.widgets.run_history import RunHistory
from lineagegraph.settings import Settings
from tests.command_line import CommandLine

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "analysis.md").read_text(encoding="utf-8")
SAMPLE = ROOT / "tests" / "integration" / "explore" / "sample.cypher"


@pytest.fixture
def session(graph: Graph, settings: Settings) -> Session:
    graph.query(SAMPLE.read_text(encoding="utf-8"), write=True)
    return Session(graph, settings)


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def test_each_question_of_the_page_is_answered_with_rows_or_a_graph(session: Session) -> None:
    first, *rest = blocks("python")
    assert "lg.connect()" in first
    asked = [line for block in rest for line in block.splitlines() if line.startswith("graph.")]
    for line in asked:
        found = eval(line, {"graph": session})
        if isinstance(found, RunHistory):
            continue
        assert isinstance(found, Result)
        assert found.to_pandas().columns.tolist() == list(found.columns), line
        assert "text/html" in found._repr_mimebundle_(), line
    names = {"graph": session}
    exec(rest[-1], names)
    assert names["rank"]


def test_each_command_of_the_page_answers(session: Session, server: ServerAddress) -> None:
    lineagegraph = CommandLine(server)
    lines = [line.split()[1:] for block in blocks("console") for line in block.splitlines()]
    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(lambda words: lineagegraph(*words), lines))
    for words, answer in zip(lines, answers, strict=True):
        assert answer.returncode == 0, (words, answer.stderr)


def test_a_column_and_a_dataset_have_an_impact(session: Session) -> None:
    columns = session.impact("flights#dep_delay").records
    assert [(one["column"], one["distance"], one["jobs"]) for one in columns] == [
        ("delay", 1, ("nyc.delays.clean.app.save",)),
        ("mean_delay", 2, ("nyc.delays.clean.app.save", "nyc.delays.daily.app.save")),
    ]
    march = datetime(2024, 3, 1, tzinfo=UTC)
    assert session.impact("flights#dep_delay", since=march).records == []
    unused = session.unused_columns(days=30).records
    assert ("mean_delay", "delay", "nyc.delays.daily.app.save") in {
        (one["field"], one["source_field"], one["job"]) for one in unused
    }
    with pytest.raises(NotFound, match="'flights' is no column"):
        session.impact("flights", latest=True)
    hits = session.impact("flights").records
    assert [(one["kind"], one["name"], one["distance"]) for one in hits] == [
        ("job", "nyc.delays.clean", 1),
        ("dataset", "clean", 2),
        ("job", "nyc.delays.daily", 3),
        ("dataset", "/gold/daily", 4),
    ]
    assert hits[1]["columns"] == ("month", "delay", "carrier")


def test_the_cause_of_a_failed_pipeline_is_the_task_that_failed(session: Session) -> None:
    found = session.cause("nyc.delays")
    assert found.records[-1]["node"] == "job:default:nyc.delays.clean"
    assert found.note == "nyc.delays.clean FAILED: ValueError: [red]no[/red]"
