// Queue the refused events of a target again for immediate sending, and count them.
MATCH (t:ForwardTarget {name: $name})
REMOVE t.next_at
WITH t
MATCH (f:Forwarding)
WHERE f.target = t.name AND f.refused_at IS NOT NULL
SET f.waits_for = t.name
REMOVE f.refused_at, f.error
RETURN count(f) AS redriven
