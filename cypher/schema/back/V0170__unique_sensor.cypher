// Without it.
DROP CONSTRAINT sensor_id IF EXISTS
