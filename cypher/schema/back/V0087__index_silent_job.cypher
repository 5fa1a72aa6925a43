// Without the index.
DROP INDEX silent_job IF EXISTS
