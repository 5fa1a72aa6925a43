// Each shard is held by one process at a time.
CREATE CONSTRAINT sensor_shard_number IF NOT EXISTS FOR (n:SensorShard) REQUIRE n.number IS UNIQUE
