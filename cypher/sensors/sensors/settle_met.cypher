// End the waits of sensors that began before a poke did, each once, with the poke's outcome.
UNWIND $rows AS row
MATCH (r:Run)-[w:WAITS_ON]->(s:Sensor)
WHERE w.open_on = row.id AND w.began_at <= row.began_at
WITH row, r, w, s ORDER BY r.id
SET r.locked = true, w.locked = true
REMOVE r.locked, w.locked
WITH row, r, w, s, coalesce($now, datetime.realtime()) AS now
WHERE w.open_on IS NOT NULL
WITH r, w, s, now, row.message AS message, CASE
  WHEN row.is_true THEN 'success'
  WHEN w.soft_fail THEN 'skipped'
  ELSE 'failed'
END AS state
SET w.state = state,
    w.outcome = state,
    w.settled_at = now,
    w.message = message,
    w.log = w.log + ['attempt ' + w.attempt + ' of ' + (w.retries + 1) + ': ' + message]
REMOVE w.open_on, w.attempt_ends_at
RETURN
  r.id AS run_id, w.root_id AS root_id, s.id AS sensor_id, r.namespace AS namespace,
  r.name AS name, w.state AS state, w.message AS message, w.attempt AS attempt,
  coalesce(r.launch = 'SENSING', false) AS is_alone, w.on_success AS on_success,
  w.on_failure AS on_failure, toString(now) AS now
ORDER BY run_id
