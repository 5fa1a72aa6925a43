// Without it.
DROP INDEX sensor_shard IF EXISTS
