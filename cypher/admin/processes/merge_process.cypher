// Record the heartbeat of a process, and its address for nudges; return the time.
MERGE (p:Process {id: $id})
ON CREATE SET p.started_at = datetime.realtime()
SET p.kind = $kind,
    p.host = $host,
    p.pid = $pid,
    p.address = $address,
    p.heartbeats = coalesce(p.heartbeats, 0) + 1,
    p.heartbeat_at = coalesce($now, datetime.realtime())
RETURN p.heartbeat_at AS now
