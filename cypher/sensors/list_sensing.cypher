// The sensors of shards that changed since a time: one without an interval is not to be looked at.
UNWIND $shards AS shard
MATCH (s:Sensor {shard: shard})
WHERE s.touched_at >= coalesce($since, datetime({epochSeconds: 0}))
RETURN
  s.id AS id, s.kind AS kind, s.fields AS fields, s.shard AS shard, s.interval AS interval,
  s.newest_at AS newest, coalesce(s.is_watched, false) AS is_watched, s.poked_at AS poked_at,
  s.is_true AS is_true, s.errors AS errors, s.breaks AS breaks,
  s.exclusive_reason AS exclusive_reason
ORDER BY id
