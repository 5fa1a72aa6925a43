// Sensors that the graph answers and for which waits began since somebody looked.
MATCH (s:GraphSensor)
WHERE s.is_untaken AND s.shard IN $shards
RETURN s.id AS id
ORDER BY id
