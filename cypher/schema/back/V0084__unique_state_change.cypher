// Without the constraint.
DROP CONSTRAINT unique_state_change IF EXISTS
