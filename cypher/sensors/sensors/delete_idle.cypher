// Delete sensors that had no wait for a given time; those of kept runs only leave the index of touched ones.
//
// A cursor is kept for a longer time. A run that goes on may not have taken yet what its wait came to.
MATCH (s:Idle)
WHERE s.idle_since <= coalesce($now, datetime.realtime()) - CASE WHEN s.cursor IS NULL THEN $age ELSE $cursor_age END
  AND NOT EXISTS {
    (s)<-[:WAITS_ON]-(r:Run) WHERE r.state IN ['PENDING', 'WAITING', 'RUNNING']
  }
WITH s ORDER BY s.id LIMIT $most
// To set a label takes the lock of the index: whoever merges the node waits, or was waited for.
REMOVE s:Sensor
SET s:Sensor
WITH s
WHERE s.interval IS NULL AND NOT EXISTS { (s)<-[:WATCHES]-(:Condition|Terms) }
// Its past waits are shown with their runs. No other statement reads it, and it begins anew with the next wait.
CALL (s) {
  WITH s WHERE EXISTS { (s)<-[:WAITS_ON|WAITED_ON]-(:Run) }
  SET s.errors = 0, s.breaks = 0
  REMOVE s:Idle, s:GraphSensor, s.touched_at, s.error, s.failing_since, s.exclusive_reason, s.cursor, s.cursor_at
}
CALL (s) {
  WITH s WHERE NOT EXISTS { (s)<-[:WAITS_ON|WAITED_ON]-(:Run) }
  DETACH DELETE s
  RETURN count(*) AS gone
}
RETURN sum(gone) AS deleted
