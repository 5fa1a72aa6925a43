// Without the index.
DROP INDEX unsettled_job IF EXISTS
