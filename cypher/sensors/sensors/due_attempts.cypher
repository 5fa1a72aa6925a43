// Waits with an expired attempt, for sensors of shards, longest expired first.
MATCH (r:Run)-[w:WAITS_ON]->(s:Sensor)
USING INDEX SEEK w:WAITS_ON(attempt_ends_at)
WHERE w.attempt_ends_at <= coalesce($now, datetime.realtime()) AND s.shard IN $shards
RETURN r.id AS run_id, s.shard AS shard
ORDER BY w.attempt_ends_at, run_id
LIMIT $most
