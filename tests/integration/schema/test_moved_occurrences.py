"""Half-met conditions of an earlier version of the graph are met by what comes after."""

from lineagegraph.graph import Graph, list_migrations
from lineagegraph.ingest.extract import extract
from lineagegraph.model.names.keys import job_key
from lineagegraph.queries.triggers.why import read_why
from lineagegraph.reactions.commit import commit
from tests.events import run_event

OLD = """
UNWIND [['a', $a], ['b', $b]] AS watched
MERGE (j:Job {key: watched[1]})
SET j.namespace = 'default', j.name = watched[0], j.simple_name = watched[0], j.fqn = watched[0],
    j.kind = 'external', j.kind_said = '', j.stub = true, j.defined = false
WITH collect(j) AS jobs
CREATE (s:Job {key: 's', namespace: 'default', name: 's', simple_name: 's', fqn: 's',
  kind: 'pipeline', kind_said: '', stub: false, defined: true})
CREATE (t:Trigger {id: 't', name: 's', enabled: true, generation: 1, created_at: datetime($at),
  enabled_at: datetime($at)})-[:STARTS]->(s)
CREATE (t)-[:WHEN]->(both:Condition {id: 'c', operator: 'AND', text: 'both', height: 1})
CREATE (t)-[:FIRED]->(:Firing {key: 'f', generation: 0, state: 'LAUNCHED', fired_at: datetime($at)})
FOREACH (j IN jobs | CREATE (both)-[:OPERAND]->(:Condition {id: 'c ' + j.name, operator: 'STATUS',
  text: j.name, height: 0, statuses: ['COMPLETED'], created_at: datetime($at)})-[:WATCHES]->(j))
WITH t
MATCH (c:Condition {id: 'c a'})
CREATE (r:Run {id: 'r', state: 'COMPLETED'})
CREATE (c)-[:OCCURRED {status: 'COMPLETED', occurred_at: datetime($at)}]->(r)
"""


def test_what_occurred_before_counts_after(graph: Graph) -> None:
    keys = {name: job_key(None, "default", name) for name in "ab"}
    (row,) = graph.query("RETURN datetime.realtime() - duration('PT1M') AS at")
    graph.query(OLD, keys | {"at": row["at"].isoformat()}, write=True)
    (move,) = [one for one in list_migrations() if "move_occurrences" in one.name]
    with graph.autocommit() as session:
        session.run(move.text).consume()
        session.run(move.text).consume()
    (first, _) = read_why(graph, "t").cells[0].condition.operands
    assert (first.total, first.is_true) == (1, True)
    (fired,) = graph.write(commit, extract([run_event("b")]))
    assert fired.run_id
    assert read_why(graph, "t").trigger.trigger.firings == 2
