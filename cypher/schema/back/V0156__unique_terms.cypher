// Terms of freshness may share a key again.
DROP CONSTRAINT unique_terms IF EXISTS
