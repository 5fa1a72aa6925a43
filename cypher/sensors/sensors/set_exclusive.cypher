// Make a sensor exclusive from now on, with the reason.
MATCH (s:Sensor {id: $id})
SET s.exclusive_reason = $reason, s.breaks = 0, s.touched_at = coalesce($now, datetime.realtime())
