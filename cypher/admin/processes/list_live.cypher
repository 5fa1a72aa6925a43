// The processes of a kind with a recent heartbeat; one from the future was before the clock was put back.
WITH coalesce($now, datetime.realtime()) AS now
MATCH (p:Process {kind: $kind})
WHERE p.heartbeat_at >= now - $within AND p.heartbeat_at <= now + $within
RETURN
  p.id AS id, p.kind AS kind, p.host AS host, p.pid AS pid, p.address AS address,
  p.started_at AS started_at
ORDER BY id
