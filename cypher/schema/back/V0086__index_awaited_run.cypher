// Without the index.
DROP INDEX awaited_run IF EXISTS
