// Delete the shards that are too many.
MATCH (h:SensorShard) WHERE h.number >= $count
DELETE h
