// Delete a part of the events queued for a target, and count them.
MATCH (f:Forwarding)
WHERE f.target = $name
WITH f LIMIT $limit
DELETE f
RETURN count(f) AS deleted
