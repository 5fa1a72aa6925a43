// Record changes in the audit log, with today's names of the things that they are about.
// Times are of microseconds, as Python has them: a reader continues after one of them.
UNWIND $rows AS row
// A thing of the kind has the key; most are about a job.
OPTIONAL MATCH (r:Run {id: row.key}) WHERE row.thing IN ['run', 'wait']
OPTIONAL MATCH (firing:Firing {key: row.key}) WHERE row.thing = 'firing'
OPTIONAL MATCH (t:Trigger)
WHERE row.thing IN ['trigger', 'schedule', 'firing'] AND t.id = coalesce(firing.trigger_id, row.key)
OPTIONAL MATCH (t)-[:STARTS]->(started:Job)
OPTIONAL MATCH (:Skip {id: row.key})-[:SKIPS]->(skipped:Job) WHERE row.thing = 'skip'
OPTIONAL MATCH (:Backfill {id: row.key})-[:OF]->(filled:Job) WHERE row.thing = 'backfill'
WITH *, row.thing IN ['job', 'dataset', 'pipeline', 'freshness', 'tag'] AS is_node
OPTIONAL MATCH (d:Dataset {key: row.key}) WHERE is_node
OPTIONAL MATCH (f:Field {key: row.key}) WHERE is_node
OPTIONAL MATCH (p:DefinitionPath {key: row.key}) WHERE row.thing = 'path'
OPTIONAL MATCH (j:Job) WHERE j.key = coalesce(
  row.job_key, r.job_key, started.key, skipped.key, filled.key, CASE WHEN is_node THEN row.key END
)
CREATE (:AuditEntry {
  id: row.id,
  at: datetime.truncate('microsecond', datetime.realtime()),
  actor: row.actor,
  address: row.address,
  action: row.action,
  thing: row.thing,
  key: row.key,
  name: coalesce(
    row.name, p.path, t.name, CASE row.key WHEN j.key THEN j.fqn END, d.name, f.name, row.key
  ),
  job: j.fqn,
  namespace: coalesce(j.namespace, d.namespace, CASE row.thing WHEN 'namespace' THEN row.key END),
  before: row.before,
  after: row.after
})
