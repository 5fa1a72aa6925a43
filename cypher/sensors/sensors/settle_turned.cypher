// Store sensors' answers in the conditions that watch them, and return those that became true.
//
// A trigger that is suspended is told nothing of it later.
UNWIND $rows AS row
MATCH (s:Sensor {id: row.id})<-[:WATCHES]-(c:Condition)<-[:HAS_CONDITION]-(t:Trigger)
WITH row, c, t, coalesce($now, datetime.realtime()) AS now
// What was set in the future was set before the clock was put back.
WHERE (c.created_at <= row.began_at OR c.created_at > now)
  AND (NOT t.enabled OR t.enabled_at <= row.began_at OR t.enabled_at > now)
SET c.locked = true
REMOVE c.locked
WITH row, c, t WHERE coalesce(c.is_true, false) <> row.is_true
SET c.is_true = row.is_true
WITH row, c, t WHERE row.is_true AND t.enabled
RETURN
  t.id AS trigger_id, c.id AS condition_id, row.id AS sensor_id, row.began_at AS began_at,
  row.value AS value, coalesce($now, datetime.realtime()) AS at
ORDER BY trigger_id, condition_id
