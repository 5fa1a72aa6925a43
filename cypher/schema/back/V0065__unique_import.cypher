// Without the constraint.
DROP CONSTRAINT unique_import IF EXISTS
