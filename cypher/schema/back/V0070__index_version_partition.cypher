// Versions are no longer found by their partitions.
DROP INDEX version_partition IF EXISTS
