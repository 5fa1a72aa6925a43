// Without the constraint.
DROP CONSTRAINT unique_backfill IF EXISTS
