// Without the constraint.
DROP CONSTRAINT unique_source IF EXISTS
