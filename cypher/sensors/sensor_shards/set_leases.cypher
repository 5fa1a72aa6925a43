// Renew the leases of shards while the epoch is valid, and return these shards.
UNWIND $rows AS row
MATCH (h:SensorShard {number: row.number})
SET h.locked = true
REMOVE h.locked
WITH h, row WHERE h.owner = $owner AND h.epoch = row.epoch
SET h.leased_at = coalesce($now, datetime.realtime()),
    h.lease_until = coalesce($now, datetime.realtime()) + $lease
RETURN h.number AS number, h.epoch AS epoch
ORDER BY number
