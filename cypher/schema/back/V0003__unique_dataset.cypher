// Without the constraint.
DROP CONSTRAINT unique_dataset IF EXISTS
