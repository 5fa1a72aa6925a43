// Delete sensors that had no wait for a given time, those with a cursor after a longer one.
//
// A run that goes on may not have taken yet what its wait came to.
MATCH (s:Idle)
WHERE s.idle_since <= coalesce($now, datetime.realtime()) - CASE WHEN s.cursor IS NULL THEN $age ELSE $cursor_age END
  AND NOT EXISTS {
    (s)<-[:WAITS_ON]-(r:Run) WHERE r.state IN ['PENDING', 'WAITING', 'RUNNING']
  }
WITH s ORDER BY s.id LIMIT $most
// To set a label takes the lock of the index: whoever merges the node waits, or was waited for.
REMOVE s:Sensor
SET s:Sensor
WITH s, s.id AS id
WHERE s.interval IS NULL AND NOT EXISTS { (s)<-[:WATCHES]-(:Condition|Terms) }
DETACH DELETE s
RETURN count(id) AS deleted
