// The shards and their holders; a lease from the future is none, as the clock was put back.
MATCH (h:SensorShard)
WITH h, coalesce($now, datetime.realtime()) AS now
WITH h, h.lease_until < now
  OR coalesce(h.leased_at > now + duration.between(h.leased_at, h.lease_until), false) AS is_lapsed
RETURN
  h.number AS number, CASE is_lapsed WHEN false THEN h.owner END AS owner,
  h.epoch AS epoch, h.lease_until AS lease_until
ORDER BY number
