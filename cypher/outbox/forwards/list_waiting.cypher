// The waiting events of a target, in order; a deleted event has no body.
MATCH (f:Forwarding {waits_for: $name})
WHERE f.queued_at IS NOT NULL AND f.position IS NOT NULL
WITH f ORDER BY f.waits_for, f.queued_at, f.position LIMIT $limit
OPTIONAL MATCH (e:Event {id: f.event_id})
RETURN f.key AS key, e.body AS body
ORDER BY f.queued_at, f.position
