// Any sensor that is not only one of past waits, if there is one.
MATCH (s:Sensor)
WHERE s.shard >= 0 AND s.touched_at IS NOT NULL
RETURN s.id AS id
LIMIT 1
