// Without the constraint.
DROP CONSTRAINT unique_backfill_partition IF EXISTS
