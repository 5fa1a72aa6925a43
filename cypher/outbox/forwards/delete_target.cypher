// Forget a target; what waits for it is deleted a part at a time.
MATCH (t:ForwardTarget {name: $name})
DELETE t
RETURN count(t) AS deleted
