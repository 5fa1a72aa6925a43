// Lock shards for a write, and return those still held under the epoch.
UNWIND $rows AS row
MATCH (h:SensorShard {number: row.number})
SET h.locked = true
REMOVE h.locked
WITH h, row WHERE h.epoch = row.epoch
RETURN h.number AS number
ORDER BY number
