// End the open wait of a run by hand.
MATCH (r:Run {id: $run_id})-[w:WAITS_ON]->(s:Sensor)
SET r.locked = true, w.locked = true
REMOVE r.locked, w.locked
WITH r, w, s, coalesce($now, datetime.realtime()) AS now
WHERE w.open_on IS NOT NULL
SET w.state = $state,
    w.outcome = $state,
    w.settled_at = now,
    w.settled_by = $author,
    w.message = $message,
    w.log = w.log + ['attempt ' + w.attempt + ' of ' + (w.retries + 1) + ': ' + $message]
REMOVE w.open_on, w.attempt_ends_at
RETURN
  r.id AS run_id, w.root_id AS root_id, s.id AS sensor_id, r.namespace AS namespace,
  r.name AS name, w.state AS state, w.message AS message, w.attempt AS attempt,
  w.attempt AS known_attempt, w.timeout AS span, w.retries AS retries,
  coalesce(r.launch = 'SENSING', false) AS is_alone, w.on_retry AS on_retry,
  w.on_success AS on_success, w.on_failure AS on_failure, toString(now) AS now
