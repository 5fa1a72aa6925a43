// Make versions the ones that new runs of their pipelines take, from now on.
UNWIND $rows AS row
MATCH (j:Job {key: row.job_key})-[:HAS_VERSION]->(v:JobVersion {hash: row.hash})
WITH j, v, coalesce($now, datetime.realtime()) AS now
SET j.current_version = v.hash
REMOVE j.withdrawn_at
WITH j, v, now
CALL (j, v, now) {
  MATCH (j)-[old:IN_FORCE]->(other)
  WHERE old.until IS NULL AND other <> v
  SET old.until = now
}
FOREACH (x IN CASE WHEN EXISTS { (j)-[f:IN_FORCE]->(v) WHERE f.until IS NULL } THEN [] ELSE [1] END |
  CREATE (j)-[:IN_FORCE {since: now}]->(v))
