// Create shards up to a number.
UNWIND range(0, $count - 1) AS number
MERGE (h:SensorShard {number: number})
ON CREATE SET h.epoch = 0
