// Without the index.
DROP INDEX unsettled_run IF EXISTS
