// Without the index.
DROP INDEX backfill_partition_state IF EXISTS
