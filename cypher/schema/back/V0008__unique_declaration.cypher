// Without the constraint.
DROP CONSTRAINT unique_declaration IF EXISTS
