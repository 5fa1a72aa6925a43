// Without the constraint.
DROP CONSTRAINT unique_firing IF EXISTS
