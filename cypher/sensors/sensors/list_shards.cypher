// The sensors with their shards, without those that only past waits of runs need.
MATCH (s:Sensor)
WHERE s.shard >= 0 AND s.touched_at IS NOT NULL
RETURN s.id AS id, s.shard AS shard
ORDER BY id
