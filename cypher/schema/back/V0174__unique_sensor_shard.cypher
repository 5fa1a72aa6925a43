// Without it.
DROP CONSTRAINT sensor_shard_number IF EXISTS
