// Without the constraint.
DROP CONSTRAINT unique_condition IF EXISTS
