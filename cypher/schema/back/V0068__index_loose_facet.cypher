// Without the index.
DROP INDEX loose_facet IF EXISTS
