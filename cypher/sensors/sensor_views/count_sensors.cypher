// Count the sensors of a kind, or all; without those that only past waits of runs need.
MATCH (s:Sensor)
WHERE s.shard >= 0 AND s.touched_at IS NOT NULL AND ($kind IS NULL OR s.kind = $kind)
RETURN count(s) AS sensors
