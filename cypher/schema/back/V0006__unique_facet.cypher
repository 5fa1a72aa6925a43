// Without the constraint.
DROP CONSTRAINT unique_facet IF EXISTS
