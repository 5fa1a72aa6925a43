// Without the index.
DROP INDEX condemned_run IF EXISTS
