// Set the cursors of sensors that still have the number of the poke, and return who takes the items.
//
// Without a taker the cursor stays: the next poke finds the same items again.
UNWIND $rows AS row
MATCH (s:Sensor {id: row.id})
SET s.locked = true
REMOVE s.locked
WITH row, s, coalesce($now, datetime.realtime()) AS now
WHERE coalesce(s.cursor_number, 0) = row.after
MATCH (s)<-[:WATCHES]-(c:Condition)<-[:HAS_CONDITION]-(t:Trigger)
// What was set in the future was set before the clock was put back.
WHERE t.enabled AND (c.created_at <= row.began_at OR c.created_at > now)
  AND (t.enabled_at <= row.began_at OR t.enabled_at > now)
WITH row, s, now, collect({trigger_id: t.id, condition_id: c.id}) AS takers
SET s.cursor = row.cursor, s.cursor_number = row.after + 1, s.cursor_at = now, s.touched_at = now
WITH s, now, takers
UNWIND takers AS taker
RETURN
  taker.trigger_id AS trigger_id, taker.condition_id AS condition_id, s.id AS sensor_id, now AS at
ORDER BY trigger_id, condition_id
