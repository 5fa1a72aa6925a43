// Count the sensors of a kind, or all.
MATCH (s:Sensor)
WHERE $kind IS NULL OR s.kind = $kind
RETURN count(s) AS sensors
