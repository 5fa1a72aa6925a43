// Graph sensors with new waits since the last check.
MATCH (s:GraphSensor)
WHERE s.is_untaken AND s.shard IN $shards
RETURN s.id AS id
ORDER BY id
