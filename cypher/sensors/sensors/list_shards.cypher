// All sensors with their shards.
MATCH (s:Sensor)
RETURN s.id AS id, s.shard AS shard
ORDER BY id
