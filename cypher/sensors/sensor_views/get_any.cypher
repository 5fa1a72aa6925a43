// Any sensor, if there is one.
MATCH (s:Sensor)
RETURN s.id AS id
LIMIT 1
