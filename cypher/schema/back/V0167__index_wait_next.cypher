// Without it.
DROP INDEX wait_next IF EXISTS
