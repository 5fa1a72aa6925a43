// The sensors of shards that changed since a time; those without an interval need no polling.
UNWIND $shards AS shard
MATCH (s:Sensor {shard: shard})
WHERE s.touched_at >= coalesce($since, datetime({epochSeconds: 0}))
WITH s ORDER BY s.id
RETURN collect({
  id: s.id,
  kind: s.kind,
  fields: s.fields,
  shard: s.shard,
  interval: s.interval,
  backoff: coalesce(s.poke_backoff, 1.0),
  longest: coalesce(s.max_poke_interval, 3600.0),
  watched_at: s.watched_at,
  changed_at: s.changed_at,
  newest: s.newest_at,
  is_watched: coalesce(s.is_watched, false),
  poked_at: s.poked_at,
  is_true: s.is_true,
  errors: s.errors,
  breaks: s.breaks,
  exclusive_reason: s.exclusive_reason,
  cursor: s.cursor,
  cursor_number: coalesce(s.cursor_number, 0)
}) AS rows
