"""Lists that are too long to show whole say how much of them is left out."""

import json

import pytest

from lineagegraph.graph import Graph
from lineagegraph.neo4j_server import ServerAddress
from lineagegraph.notebook import Session
from lineagegraph.notebook.widgets.live_run import LiveRun
from lineagegraph.settings import Settings
from lineagegraph.views.backfills import BackfillsView
from lineagegraph.views.live_run import LiveRunView
from lineagegraph.views.run_history import RunHistoryView
from lineagegraph.views.trigger_panel import TriggerPanelView
from tests.command_line import CommandLine

# 502 jobs without a parent, of which one has 2,100 jobs below it and one 1,003 triggers.
JOBS = """
UNWIND range(0, 501) AS n
CREATE (j:Job {key: 'job' + n, fqn: 'job' + n, simple_name: 'job' + n, namespace: 'default'})
WITH collect(j) AS jobs
UNWIND range(1, 2100) AS n
WITH jobs, n, jobs[0] AS top
CREATE (top)-[:PARENT_OF]->(:Job {key: 'job0.' + n, fqn: 'job0.' + n, simple_name: 't' + n,
  namespace: 'default'})
WITH jobs, count(*) AS tasks
UNWIND range(1000, 2002) AS n
WITH n, jobs[1] AS started
CREATE (:Trigger {id: 'id' + n, name: 'rule' + n, created_at: datetime(), text: 'sales COMPLETED',
  key: 'id' + n})-[:STARTS]->(started)
"""
# A run with 2,100 runs below it, of which the last but one failed.
RUNS = """
CREATE (top:Run {id: $id, state: 'RUNNING', created_at: datetime('2026-03-01T00:00Z'), name: 'top',
  started_at: datetime('2026-03-01T00:00Z')})
WITH top
UNWIND range(1, 2100) AS n
WITH top, n, datetime('2026-03-01T00:00Z') + duration({seconds: n}) AS at
CREATE (top)-[:PARENT_OF]->(:Run {id: $id + '-' + n, name: 'task' + n, created_at: at,
  started_at: at, state: CASE n WHEN 1990 THEN 'FAILED' ELSE 'COMPLETED' END,
  error: CASE n WHEN 1990 THEN 'the disk is full' END})
"""
BACKFILLS = """
MATCH (j:Job {key: 'job1'})
UNWIND range(1, 53) AS n
CREATE (:Backfill {id: 'b' + n, state: 'COMPLETED', which: 'ALL', order: 'OLDEST', total: 0,
  created_at: datetime(), concurrency: 1})-[:OF]->(j)
"""
# More runs of a job than are searched, the oldest of which failed.
HISTORY = """
MATCH (j:Job {key: 'job1'})
UNWIND range(1, 1001) AS n
CREATE (j)-[:HAS_RUN]->(:Run {id: 'run' + n, job_key: 'job1',
  created_at: datetime('2026-03-01T00:00Z') + duration({minutes: n}),
  state: CASE n WHEN 1 THEN 'FAILED' ELSE 'COMPLETED' END})
"""
# Jobs and runs of which each is below the one before.
DEEP = """
UNWIND range(1, 600) AS n
CREATE (j:Job {key: 'deep' + n, namespace: 'n', fqn: 'deep' + n, simple_name: 'deep' + n})
CREATE (j)-[:HAS_RUN]->(:Run {id: CASE n WHEN 1 THEN $id ELSE $id + '-' + n END, depth: n,
  job_key: j.key, created_at: datetime(), state: 'RUNNING'})
WITH n ORDER BY n
WHERE n > 1
MATCH (above:Job {key: 'deep' + (n - 1)})-[:HAS_RUN]->(run_above:Run)
MATCH (j:Job {key: 'deep' + n})-[:HAS_RUN]->(r:Run)
CREATE (above)-[:PARENT_OF]->(j)
CREATE (run_above)-[:PARENT_OF]->(r)
"""
RUN = "0190a1d2-0000-7000-8000-000000000002"


@pytest.fixture
def long(graph: Graph) -> Graph:
    graph.query(JOBS, write=True)
    graph.query(RUNS, {"id": RUN}, write=True)
    graph.query(BACKFILLS, write=True)
    return graph


def test_commands_say_how_many_rows_they_leave_out(long: Graph, server: ServerAddress) -> None:
    here = CommandLine(server)
    listed = {
        ("jobs",): 2,
        ("jobs", "job0"): 1601,
        ("trigger", "list"): 3,
        ("trigger", "list", "-n", "1001"): 2,
        ("backfill", "list"): 33,
    }
    for words, number in listed.items():
        for given in (words, (*words, "--json")):
            assert f"{number} more: --limit shows them" in here(*given).stderr, given
    assert "more" not in here("jobs", "--limit", "600").stderr
    assert json.loads(here("jobs", "job0", "--json").stdout)["left_out"] == 1601
    assert "and 101 more" in here("show", RUN).stdout


def test_a_hierarchy_of_any_depth_is_shown(
    graph: Graph, server: ServerAddress, settings: Settings
) -> None:
    graph.query(DEEP, {"id": RUN}, write=True)
    here = CommandLine(server)
    listed = here("jobs", "deep1")
    assert "deep100" in listed.stdout
    assert "deep101" not in listed.stdout
    assert "500 more: --limit shows them, down to level 100" in listed.stderr
    assert "deep1" in here("show", RUN).stdout
    session = Session(graph, settings)
    assert "deep100" in session.jobs("deep1")._repr_mimebundle_()["text/html"]
    assert "500 more runs below it" in session.run(RUN)._repr_mimebundle_()["text/html"]


def test_runs_says_that_not_all_were_searched(long: Graph, server: ServerAddress) -> None:
    long.query(HISTORY, write=True)
    here = CommandLine(server)
    searched = here("runs", "job1", "--failed")
    assert searched.stdout == ""
    assert "only the newest 1,000 runs of job1 were searched: --limit" in searched.stderr
    searched = here("runs", "job1", "--failed", "--limit", "1002")
    assert "run1" in searched.stdout
    assert "only" not in searched.stderr
    for words in ((), ("--since", "2026-03-01T12:00Z")):
        assert "only" not in here("runs", "job1", *words).stderr


def test_results_of_a_notebook_say_how_many_rows_they_leave_out(
    long: Graph, settings: Settings
) -> None:
    session = Session(long, settings)
    assert session.jobs().told == "500 rows, 2 more: `limit` shows them"
    assert session.jobs(limit=502).told == "502 rows"
    assert session.jobs("job0", limit=101).told == "101 rows, 2000 more: `limit` shows them"
    assert session.triggers().told == "1,000 rows, 3 more: `limit` shows them"
    assert "101 more runs below it" in session.run(RUN)._repr_mimebundle_()["text/html"]


def test_a_live_run_shows_what_failed_among_any_number_of_tasks(
    long: Graph, settings: Settings
) -> None:
    found = LiveRunView(long, settings).answer_live(RUN)
    assert (len(found.rows), found.left_out) == (300, 1801)
    assert [row.id for row in found.rows if row.state == "FAILED"] == [f"{RUN}-1990"]
    assert found.why == "task1990: the disk is full"
    assert found.rows[0].id == RUN
    kept = LiveRun(long, settings, run_id=RUN).picture()["text/plain"]
    assert "and 1,801 more" in kept
    assert "task1990" in kept
    assert RunHistoryView(long, settings).answer_tree(RUN)[0]["left_out"] == 101


def test_the_list_of_triggers_has_those_of_the_search_among_any_number(
    long: Graph, settings: Settings
) -> None:
    view = TriggerPanelView(long, settings)
    whole = view.answer_list()
    assert (len(whole.rows), whole.left_out, whole.total) == (1000, 3, 1003)
    (last,) = view.answer_list("RULE2002").rows
    assert last["id"] == "id2002"
    assert view.answer_list("sales").left_out == 3
    assert view.answer_list("no such").left_out == 0


def test_backfills_are_counted_beyond_those_that_are_shown(long: Graph, settings: Settings) -> None:
    found = BackfillsView(long, settings).answer_backfills()
    assert (len(found.items), found.total) == (50, 53)
