// Without the index.
DROP INDEX derived_job IF EXISTS
