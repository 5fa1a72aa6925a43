// Without the constraint.
DROP CONSTRAINT unique_forward_target IF EXISTS
