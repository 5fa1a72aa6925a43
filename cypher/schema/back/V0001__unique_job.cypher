// Without the constraint.
DROP CONSTRAINT unique_job IF EXISTS
