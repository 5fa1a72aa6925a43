// Without the index.
DROP INDEX run_version IF EXISTS
