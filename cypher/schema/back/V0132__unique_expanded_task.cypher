// Without the constraint.
DROP CONSTRAINT unique_expanded_task IF EXISTS
