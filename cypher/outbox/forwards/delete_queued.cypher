// Delete what is queued for a target, a part at a time, and count it.
MATCH (f:Forwarding)
WHERE f.target = $name
WITH f LIMIT $limit
DELETE f
RETURN count(f) AS deleted
