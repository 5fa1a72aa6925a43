// Make sure that there are so many shards.
UNWIND range(0, $count - 1) AS number
MERGE (h:SensorShard {number: number})
ON CREATE SET h.epoch = 0
