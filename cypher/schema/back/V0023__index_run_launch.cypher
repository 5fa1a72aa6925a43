// Without the index.
DROP INDEX run_launch IF EXISTS
