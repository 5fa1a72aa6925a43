// Sensors whose time has come.
MATCH (s:GraphSensor {kind: 'time'})
WHERE s.oldest_at IS NOT NULL AND s.shard IN $shards
  AND s.due_at <= coalesce($now, datetime.realtime())
RETURN s.id AS id, s.shard AS shard
ORDER BY id
