// Without the constraint.
DROP CONSTRAINT unique_trigger_version IF EXISTS
