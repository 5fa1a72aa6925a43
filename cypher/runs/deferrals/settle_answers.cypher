// Keep the answers of a task that deferred to sensors; the wait that brought the last one is a past one.
MATCH (r:Run {id: $run_id})
SET r.answers = $answers
WITH r
MATCH (r)-[w:WAITS_ON]->(s:Sensor)
CREATE (r)-[past:WAITED_ON]->(s)
SET past = properties(w)
DELETE w
WITH DISTINCT r
// Its present worker takes over the leases that the task kept while it waited.
MATCH (l:Lease {run_id: r.id})-[:HELD_BY]->(top:Run)
SET l.fence = top.fence
