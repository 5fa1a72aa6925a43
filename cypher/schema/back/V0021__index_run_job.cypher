// Without the index.
DROP INDEX run_job IF EXISTS
