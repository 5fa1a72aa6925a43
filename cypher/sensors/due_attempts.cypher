// Waits with an attempt that is over, of sensors of shards, those that are over longest first.
MATCH (r:Run)-[w:WAITS_ON]->(s:Sensor)
WHERE w.attempt_ends_at <= coalesce($now, datetime.realtime()) AND s.shard IN $shards
RETURN r.id AS run_id, s.id AS sensor_id
ORDER BY w.attempt_ends_at, run_id
LIMIT $most
