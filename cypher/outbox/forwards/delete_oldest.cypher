// Delete the oldest waiting events of a target, and count them on the target.
MATCH (f:Forwarding)
WHERE f.queued_at IS NOT NULL
WITH f ORDER BY f.queued_at, f.position LIMIT $limit
SET f.locked = true
REMOVE f.locked
// One that is gone by now was sent, or dropped by another process.
WITH f WHERE f.key IS NOT NULL
OPTIONAL MATCH (t:ForwardTarget {name: f.target})
DETACH DELETE f
WITH t, count(*) AS dropped
SET t.dropped = t.dropped + dropped
RETURN sum(dropped) AS dropped
