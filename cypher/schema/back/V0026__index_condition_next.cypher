// Without the index.
DROP INDEX condition_next IF EXISTS
