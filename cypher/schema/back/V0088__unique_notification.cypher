// Without the constraint.
DROP CONSTRAINT unique_notification IF EXISTS
