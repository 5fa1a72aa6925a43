"""What the view *Now* has of runs that have not ended."""

from lineagegraph.graph import Graph
from lineagegraph.store.runs.history import list_unended

RUNS = """
UNWIND ['sensing', 'busy'] AS name
CREATE (:Job {key: name, fqn: name, namespace: 'shop'})
CREATE (r:Run {id: name, job_key: name, state: 'RUNNING', state_at: datetime(),
               created_at: datetime()})
CREATE (group:Run {id: name + '.group', state: 'RUNNING', created_at: datetime()})
CREATE (w:Run {id: name + '.wait', state: 'WAITING', message: 'until the file is there',
               created_at: datetime()})
CREATE (r)-[:PARENT_OF]->(group)-[:PARENT_OF]->(w)
FOREACH (_ IN CASE name WHEN 'busy' THEN [1] ELSE [] END |
  CREATE (group)-[:PARENT_OF]->(:Run {id: 'busy.task', state: 'RUNNING', created_at: datetime()}))
"""


def test_many_runs_that_wait_hide_none_that_run(graph: Graph) -> None:
    graph.query(
        "CREATE (:Job {key: 'j', fqn: 'j', namespace: 'shop'}) "
        "WITH * UNWIND range(1, 20) AS n "
        "CREATE (:Run {id: toString(n), job_key: 'j', state_at: datetime(), "
        "created_at: datetime() + duration({seconds: n}), "
        "state: CASE WHEN n < 10 THEN 'PENDING' ELSE 'RUNNING' END, "
        "launch: CASE WHEN n < 18 THEN 'PARKED' ELSE 'CLAIMED' END})",
        write=True,
    )
    rows = graph.read(list_unended, limit=5)
    assert [row.id for row in rows] == ["1", "2", "3", "4", "5", "18", "19", "20"]


def test_a_run_waits_if_one_of_its_tasks_waits_and_none_runs(graph: Graph) -> None:
    with graph.autocommit() as session:
        session.run(RUNS).consume()
    rows = {row.id: row for row in graph.read(list_unended, limit=10)}
    assert set(rows) == {"sensing", "busy"}
    assert (rows["sensing"].state, rows["sensing"].error) == ("WAITING", "until the file is there")
    assert (rows["busy"].state, rows["busy"].error) == ("RUNNING", None)
