// Move sensors to other shards.
UNWIND $rows AS row
MATCH (s:Sensor {id: row.id})
SET s.shard = row.shard, s.touched_at = coalesce($now, datetime.realtime())
