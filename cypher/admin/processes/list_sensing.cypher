// The live sensor processes, with their counts and recent delays.
WITH coalesce($now, datetime.realtime()) AS now
MATCH (p:Process {kind: 'sensors'})
WHERE p.heartbeat_at >= now - $within AND p.heartbeat_at <= now + $within
RETURN
  p.id AS id, p.host AS host, p.pid AS pid, coalesce(p.watched, 0) AS watched,
  coalesce(p.pokes, 0) AS pokes, coalesce(p.errors, 0) AS errors,
  coalesce(p.lag_seconds, 0.0) AS lag_seconds, coalesce(p.round_seconds, 0.0) AS round_seconds,
  COUNT { MATCH (h:SensorShard) WHERE h.owner = p.id } AS shards
ORDER BY host, pid
