// End the waits of runs that ended or poll exclusively, and return their sensors.
UNWIND $run_ids AS run_id
MATCH (r:Run {id: run_id})-[w:WAITS_ON]->(s:Sensor)
WHERE NOT ($only_ended AND r.state IN ['PENDING', 'WAITING', 'RUNNING'])
SET w.locked = true
REMOVE w.locked
WITH w, s, coalesce($now, datetime.realtime()) AS now WHERE w.open_on IS NOT NULL
WITH w, s, now, coalesce($why, 'cancelled') AS message
SET w.state = CASE WHEN $why IS NULL THEN 'failed' ELSE w.state END,
    w.outcome = CASE WHEN $why IS NULL THEN 'cancelled' ELSE 'exclusive' END,
    w.settled_at = CASE WHEN $why IS NULL THEN now END,
    w.message = message,
    w.log = w.log + ['attempt ' + w.attempt + ' of ' + (w.retries + 1) + ': ' + message]
REMOVE w.open_on, w.attempt_ends_at
RETURN DISTINCT s.id AS id
ORDER BY id
