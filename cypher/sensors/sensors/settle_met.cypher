// End the waits of sensors that began before a poke did, each once, with the poke's outcome.
//
// What began in the future began before the clock was put back.
UNWIND $rows AS row
MATCH (r:Run)-[w:WAITS_ON]->(s:Sensor)
WHERE w.open_on = row.id
  AND (w.began_at <= row.began_at OR w.began_at > coalesce($now, datetime.realtime()))
WITH row, r, w, s ORDER BY r.id
SET r.locked = true, w.locked = true
REMOVE r.locked, w.locked
WITH row, r, w, s, coalesce($now, datetime.realtime()) AS now
WHERE w.open_on IS NOT NULL
WITH r, w, s, now, row.message AS message, row.value AS value, CASE
  WHEN row.is_true THEN 'success'
  WHEN w.soft_fail THEN 'skipped'
  ELSE 'failed'
END AS state, CASE
  WHEN w.execution_timeout < w.timeout THEN w.execution_timeout
  ELSE w.timeout
END AS span, row.began_at.epochMillis - w.began_at.epochMillis AS waited
WITH r, w, s, now, message, value, state, span, w.attempt AS known, toInteger(waited / 1000.0 / span) AS over
// Attempts may be over that nobody has counted yet.
WITH r, w, s, now, message, value, state, span, known, CASE WHEN over < w.retries THEN over ELSE w.retries END AS over
SET w.attempt = CASE WHEN over + 1 > known THEN over + 1 ELSE known END
SET w.state = state,
    w.outcome = state,
    w.settled_at = now,
    w.message = message,
    w.value = value,
    w.log = w.log + ['attempt ' + w.attempt + ' of ' + (w.retries + 1) + ': ' + message]
REMOVE w.open_on, w.attempt_ends_at
RETURN
  r.id AS run_id, w.root_id AS root_id, s.id AS sensor_id, r.namespace AS namespace,
  r.name AS name, w.state AS state, w.message AS message, w.attempt AS attempt,
  known AS known_attempt, span, w.retries AS retries,
  coalesce(r.launch = 'SENSING', false) AS is_alone, w.on_retry AS on_retry,
  w.on_success AS on_success,
  w.on_failure AS on_failure, toString(now) AS now
ORDER BY run_id
