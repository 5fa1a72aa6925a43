// Without the constraint.
DROP CONSTRAINT unique_expansion IF EXISTS
