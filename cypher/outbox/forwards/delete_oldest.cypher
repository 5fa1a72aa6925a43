// Delete the oldest waiting or refused events, and count the waiting ones on their target.
MATCH (f:Forwarding)
WHERE f.queued_at IS NOT NULL AND (f.waits_for IS NOT NULL) = $waits
WITH f ORDER BY f.queued_at, f.position LIMIT $limit
SET f.locked = true
REMOVE f.locked
// One that is gone by now was sent, or dropped by another process; a refused one may wait again.
WITH f WHERE f.key IS NOT NULL AND (f.waits_for IS NOT NULL) = $waits
OPTIONAL MATCH (t:ForwardTarget {name: f.target})
DETACH DELETE f
WITH t, count(*) AS dropped
SET t.dropped = t.dropped + CASE WHEN $waits THEN dropped ELSE 0 END
RETURN sum(dropped) AS dropped
