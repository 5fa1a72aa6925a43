// Without the index.
DROP INDEX run_created IF EXISTS
