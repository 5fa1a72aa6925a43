// Without the constraint.
DROP CONSTRAINT unique_field IF EXISTS
