// The shards and their holders.
MATCH (h:SensorShard)
WITH h, coalesce($now, datetime.realtime()) AS now
RETURN
  h.number AS number, CASE WHEN h.lease_until >= now THEN h.owner END AS owner,
  h.epoch AS epoch, h.lease_until AS lease_until
ORDER BY number
