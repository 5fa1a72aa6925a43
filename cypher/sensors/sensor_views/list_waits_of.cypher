// The waits of runs and of their descendants.
UNWIND $run_ids AS root
MATCH (top:Run {id: root})-[:PARENT_OF*0..]->(r:Run)-[w:WAITS_ON|WAITED_ON]->(s:Sensor)
OPTIONAL MATCH (j:Job)-[:HAS_RUN]->(r)
RETURN
  s.id AS sensor_id, r.id AS run_id, w.root_id AS root_id, j.key AS job_key,
  coalesce(j.namespace, r.namespace) AS namespace, coalesce(j.fqn, r.name) AS job,
  coalesce(j.simple_name, r.name) AS simple_name, w.state AS state, w.mode AS mode,
  w.poke_interval AS poke_interval, w.timeout AS timeout,
  w.execution_timeout AS execution_timeout, coalesce(w.retries, 0) AS retries,
  coalesce(w.soft_fail, false) AS soft_fail, w.began_at AS began_at,
  coalesce(w.attempt, 1) AS attempt, w.attempt_ends_at AS attempt_ends_at,
  w.deadline AS deadline, w.outcome AS outcome, w.settled_at AS settled_at,
  w.message AS message, coalesce(w.log, []) AS log
ORDER BY w.open_on IS NULL, w.began_at, run_id
LIMIT $limit
