// Without the constraint.
DROP CONSTRAINT unique_lease IF EXISTS
