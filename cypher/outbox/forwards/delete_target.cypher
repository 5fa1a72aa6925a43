// Delete a target; its waiting events are deleted in parts.
MATCH (t:ForwardTarget {name: $name})
DELETE t
RETURN count(t) AS deleted
