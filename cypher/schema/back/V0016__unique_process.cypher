// Without the constraint.
DROP CONSTRAINT unique_process IF EXISTS
