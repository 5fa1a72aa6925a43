// Hand the waits of a sensor back to their runs for exclusive polling, but not those of deferred tasks.
MATCH (r:Run)-[w:WAITS_ON]->(s:Sensor)
WHERE w.open_on = $id
WITH r, w, s ORDER BY r.id
SET r.locked = true, w.locked = true
REMOVE r.locked, w.locked
WITH r, w, s WHERE w.open_on IS NOT NULL AND w.asked IS NULL AND coalesce(r.launch, '') <> 'SENSING'
SET w.outcome = 'exclusive',
    w.message = s.exclusive_reason,
    w.log = w.log + ['attempt ' + w.attempt + ' of ' + (w.retries + 1) + ': ' + s.exclusive_reason]
REMOVE w.open_on, w.attempt_ends_at
RETURN DISTINCT w.root_id AS id
ORDER BY id
