// Lock the waits of runs with an expired attempt, and return their states.
UNWIND $run_ids AS run_id
MATCH (r:Run {id: run_id})-[w:WAITS_ON]->(s:Sensor)
SET r.locked = true, w.locked = true
REMOVE r.locked, w.locked
WITH r, w, s, coalesce($now, datetime.realtime()) AS now
WHERE w.open_on IS NOT NULL AND w.attempt_ends_at <= now
RETURN
  r.id AS run_id, w.root_id AS root_id, s.id AS sensor_id, r.namespace AS namespace,
  r.name AS name, w.began_at AS began_at, w.timeout AS timeout,
  w.execution_timeout AS execution_timeout, w.retries AS retries, w.attempt AS attempt,
  w.soft_fail AS soft_fail, s.error AS error,
  coalesce(r.launch = 'SENSING', false) AS is_alone, w.on_failure AS on_failure,
  w.on_retry AS on_retry, now AS now
ORDER BY run_id
