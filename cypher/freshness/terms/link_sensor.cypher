// Let a user's freshness terms watch a sensor, or none, and return all sensors of before and after.
MATCH (t:Terms {key: $key})
OPTIONAL MATCH (t)-[w:WATCHES]->(old:Sensor)
WITH t, collect(w) AS watches, collect(old.id) AS ids
FOREACH (w IN watches | DELETE w)
WITH t, ids
OPTIONAL MATCH (s:Sensor {id: $sensor_id})
FOREACH (one IN CASE WHEN s IS NULL THEN [] ELSE [s] END | CREATE (t)-[:WATCHES]->(one))
WITH ids + CASE WHEN s IS NULL THEN [] ELSE [s.id] END AS ids
UNWIND ids AS id
RETURN DISTINCT id
ORDER BY id
