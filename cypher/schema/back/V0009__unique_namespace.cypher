// Without the constraint.
DROP CONSTRAINT unique_namespace IF EXISTS
