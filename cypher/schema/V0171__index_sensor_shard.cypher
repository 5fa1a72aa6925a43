// The sensors of a shard that changed since a time.
CREATE INDEX sensor_shard IF NOT EXISTS FOR (n:Sensor) ON (n.shard, n.touched_at)
