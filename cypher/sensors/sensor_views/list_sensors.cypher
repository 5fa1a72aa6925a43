// Sensors with their numbers of waits and watching conditions and terms, most waits first.
MATCH (s:Sensor)
// Those that only past waits of runs need have no such time.
WHERE s.shard >= 0 AND s.touched_at IS NOT NULL AND ($kind IS NULL OR s.kind = $kind)
WITH s, COUNT { (s)<-[w:WAITS_ON]-(:Run) WHERE w.open_on IS NOT NULL } AS waits
ORDER BY waits DESC, s.kind, s.id
SKIP $offset LIMIT $limit
RETURN
  s.id AS id, s.kind AS kind, s.fields AS fields, s.shard AS shard, s.created_at AS created_at,
  s.interval AS interval, coalesce(s.poke_backoff, 1.0) AS poke_backoff,
  coalesce(s.max_poke_interval, 3600.0) AS max_poke_interval, s.poked_at AS poked_at, s.is_true AS is_true,
  s.changed_at AS changed_at, coalesce(s.errors, 0) AS errors, s.error AS error,
  s.exclusive_reason AS exclusive_reason, s.cursor AS cursor, s.cursor_at AS cursor_at, waits AS waits,
  COUNT { (s)<-[:WATCHES]-(:Condition|Terms) } AS watches
