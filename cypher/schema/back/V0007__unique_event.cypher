// Without the constraint.
DROP CONSTRAINT unique_event IF EXISTS
