// Without the index.
DROP INDEX run_partition IF EXISTS
