// Without the constraint.
DROP CONSTRAINT unique_condition_version IF EXISTS
