// Store the graph's answers for sensors.
UNWIND $rows AS row
MATCH (s:Sensor {id: row.id})
SET s.locked = true
REMOVE s.locked
WITH row, s, coalesce($now, datetime.realtime()) AS now
SET s.poked_at = now,
    s.changed_at = CASE WHEN coalesce(s.is_true, false) = row.is_true THEN s.changed_at ELSE now END,
    s.is_true = row.is_true
