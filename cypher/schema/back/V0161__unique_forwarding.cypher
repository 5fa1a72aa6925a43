// Without the constraint.
DROP CONSTRAINT unique_forwarding IF EXISTS
