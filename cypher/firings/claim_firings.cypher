// Fire triggers, each under a key of its own: consume what occurred, and queue a run of the job.
UNWIND $rows AS row
MATCH (t:Trigger {id: row.trigger_id})-[:STARTS]->(j:Job)
MERGE (f:Firing {key: row.key})
ON CREATE SET
  f.fired_at = coalesce($now, datetime.realtime()),
  f.generation = row.generation,
  f.reason = row.reason,
  f.run_id = row.run_id,
  f.state = 'PENDING'
WITH t, j, f, row WHERE f.run_id = row.run_id
SET t.generation = row.generation + 1
CREATE (t)-[:FIRED]->(f)
CREATE (r:Run {
  id: row.run_id,
  namespace: j.namespace,
  name: j.name,
  job_key: j.key,
  kind: j.kind,
  kind_said: '',
  state: 'PENDING',
  state_at: f.fired_at,
  queued_at: f.fired_at,
  created_at: f.fired_at,
  launch: 'QUEUED',
  launches: 0,
  fence: 0,
  stub: false
})
CREATE (j)-[:HAS_RUN {adopted: false}]->(r)
CREATE (f)-[:STARTED]->(r)
CREATE (:StateChange {
  state: r.state, at: f.fired_at, recorded_at: f.fired_at, position: 0, unnumbered: true
})-[:OF]->(r)
WITH t, f, row
CALL (t, f) {
  MATCH (t)-[:WHEN]->(:Condition)-[:OPERAND*0..]->(c:Condition)-[o:OCCURRED]->(what)
  CREATE (f)-[:CONSUMED {
    condition_id: c.id, text: c.text, status: o.status, occurred_at: o.occurred_at
  }]->(what)
  DELETE o
}
RETURN f.key AS key, row.trigger_id AS trigger_id, f.run_id AS run_id, f.reason AS reason
ORDER BY key
