// Drop the events that wait for a target longest, note how many on it, and count them.
MATCH (f:Forwarding)
WHERE f.queued_at IS NOT NULL
WITH f ORDER BY f.queued_at, f.position LIMIT $limit
OPTIONAL MATCH (t:ForwardTarget {name: f.target})
DETACH DELETE f
WITH t, count(*) AS dropped
SET t.dropped = t.dropped + dropped
RETURN sum(dropped) AS dropped
