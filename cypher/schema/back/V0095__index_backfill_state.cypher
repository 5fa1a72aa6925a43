// Without the index.
DROP INDEX backfill_state IF EXISTS
