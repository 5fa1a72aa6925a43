// End the waits of runs that ended otherwise, and say for which sensors they waited.
UNWIND $run_ids AS run_id
MATCH (r:Run {id: run_id})-[w:WAITS_ON]->(s:Sensor)
WHERE NOT ($only_ended AND r.state IN ['PENDING', 'WAITING', 'RUNNING'])
SET w.locked = true
REMOVE w.locked
WITH w, s, coalesce($now, datetime.realtime()) AS now WHERE w.open_on IS NOT NULL
SET w.state = 'failed',
    w.outcome = 'cancelled',
    w.settled_at = now,
    w.message = 'cancelled',
    w.log = w.log + ['attempt ' + w.attempt + ' of ' + (w.retries + 1) + ': cancelled']
REMOVE w.open_on, w.attempt_ends_at
RETURN DISTINCT s.id AS id
ORDER BY id
