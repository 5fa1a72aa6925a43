// The triggers that watch a sensor, each with its job.
MATCH (:Sensor {id: $id})<-[:WATCHES]-(c:Condition)
MATCH (t:Trigger)-[:HAS_CONDITION]->(c)
WHERE t.deleted_at IS NULL
OPTIONAL MATCH (t)-[:STARTS]->(j:Job)
RETURN DISTINCT
  t.id AS id, t.name AS name, coalesce(t.enabled, true) AS enabled, j.key AS job_key,
  j.namespace AS namespace, j.fqn AS starts, j.simple_name AS simple_name
ORDER BY starts, name, id
