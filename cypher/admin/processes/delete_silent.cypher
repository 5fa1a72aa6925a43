// Delete the nodes of processes without a recent heartbeat.
MATCH (p:Process)
WHERE p.heartbeat_at < coalesce($now, datetime.realtime()) - $within
DETACH DELETE p
