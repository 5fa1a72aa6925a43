// The newest firings of a trigger or of all, until a time, with consumed occurrences and runs.
MATCH (t:Trigger)-[:FIRED]->(f:Firing)
WHERE ($trigger IS NULL OR t.id = $trigger) AND ($until IS NULL OR f.fired_at <= $until)
WITH t, f
ORDER BY f.fired_at DESC, f.key
LIMIT $limit
CALL (f) {
  MATCH (f)-[:CONSUMED]->(r:Run)
  OPTIONAL MATCH (j:Job)-[:HAS_RUN]->(r)
  RETURN collect({kind: 'run', name: coalesce(j.fqn, r.name), id: r.id, state: r.state,
                  at: coalesce(r.ended_at, r.state_at)}) AS runs
}
CALL (f) {
  MATCH (f)-[:CONSUMED]->(v:DatasetVersion)<-[:HAS_VERSION]-(d:Dataset)
  RETURN collect({kind: 'dataset', name: d.name, id: v.key, state: null,
                  at: v.written_at}) AS versions
}
CALL (f) {
  MATCH (f)-[e:CONSUMED]->(c:Condition)
  RETURN collect({kind: 'cron', name: c.cron, id: c.id, state: null,
                  at: coalesce(e.occurred_at, f.fired_at)}) AS times
}
CALL (f) {
  MATCH (f)-[:STARTED]->(r:Run)
  RETURN collect({id: r.id, state: r.state}) AS started
}
OPTIONAL MATCH (t)-[:STARTS]->(j:Job)
RETURN f.key AS key, f.fired_at AS fired_at, t.id AS trigger, t.name AS trigger_name,
       j.fqn AS starts, f.generation AS generation, f.reason AS reason, f.state AS state,
       runs + versions + times AS consumed, started
ORDER BY fired_at DESC, key
