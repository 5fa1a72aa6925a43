// Delete sensors that nobody has waited for since long.
MATCH (s:Idle) WHERE s.idle_since <= coalesce($now, datetime.realtime()) - $age
WITH s ORDER BY s.id LIMIT $most
// To set a label takes the lock of the index: whoever merges the node waits, or was waited for.
REMOVE s:Sensor
SET s:Sensor
WITH s, s.id AS id
WHERE s.interval IS NULL AND NOT EXISTS { (s)<-[:WATCHES]-(:Condition) }
DETACH DELETE s
RETURN count(id) AS deleted
