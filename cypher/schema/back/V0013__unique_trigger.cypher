// Without the constraint.
DROP CONSTRAINT unique_trigger IF EXISTS
