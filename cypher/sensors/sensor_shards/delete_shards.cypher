// Delete surplus shards.
MATCH (h:SensorShard) WHERE h.number >= $count
DELETE h
