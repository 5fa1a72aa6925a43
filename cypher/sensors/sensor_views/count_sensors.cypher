// How many sensors there are of a kind, or of all.
MATCH (s:Sensor)
WHERE $kind IS NULL OR s.kind = $kind
RETURN count(s) AS sensors
