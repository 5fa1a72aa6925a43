// Sensors after one, by id, with their shards.
MATCH (s:Sensor) WHERE s.id > $after
RETURN s.id AS id, s.shard AS shard
ORDER BY id
LIMIT $most
