// Release shards of an owner.
UNWIND $rows AS row
MATCH (h:SensorShard {number: row.number})
SET h.locked = true
REMOVE h.locked
WITH h, row WHERE h.owner = $owner AND h.epoch = row.epoch
REMOVE h.owner, h.leased_at, h.lease_until
