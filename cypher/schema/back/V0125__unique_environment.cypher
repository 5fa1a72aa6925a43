// Without the constraint.
DROP CONSTRAINT unique_environment IF EXISTS
