// The process that polls the sensors of a shard, while its lease lasts.
MATCH (h:SensorShard {number: $shard})
WHERE h.lease_until >= coalesce($now, datetime.realtime())
OPTIONAL MATCH (p:Process {id: h.owner})
RETURN h.owner AS id, p.host AS host, p.pid AS pid, h.epoch AS epoch, h.lease_until AS lease_until
