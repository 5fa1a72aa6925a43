// Without it.
DROP INDEX lease_run IF EXISTS
