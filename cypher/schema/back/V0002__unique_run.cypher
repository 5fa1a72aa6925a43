// Without the constraint.
DROP CONSTRAINT unique_run IF EXISTS
