// Without the constraint.
DROP CONSTRAINT unique_alias IF EXISTS
