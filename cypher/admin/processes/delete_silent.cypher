// Forget the processes that gave no sign of life for long.
MATCH (p:Process)
WHERE p.heartbeat_at < coalesce($now, datetime.realtime()) - $within
DETACH DELETE p
