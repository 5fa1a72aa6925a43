// Note why each wait for a sensor is to look for itself from now on.
MATCH (s:Sensor {id: $id})
SET s.exclusive_reason = $reason, s.breaks = 0, s.touched_at = coalesce($now, datetime.realtime())
