// The processes of a kind with a recent heartbeat.
MATCH (p:Process {kind: $kind})
WHERE p.heartbeat_at >= coalesce($now, datetime.realtime()) - $within
RETURN
  p.id AS id, p.kind AS kind, p.host AS host, p.pid AS pid, p.address AS address,
  p.started_at AS started_at
ORDER BY id
