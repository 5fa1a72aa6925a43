// Lock a target that no daemon has used for a given time, and return it.
MATCH (t:ForwardTarget {name: $name})
SET t.locked = true
REMOVE t.locked
WITH t WHERE t.seen_at < coalesce($now, datetime.realtime()) - $age
RETURN t.name AS name
