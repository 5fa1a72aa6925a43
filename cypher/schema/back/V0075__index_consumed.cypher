// Without it.
DROP INDEX consumed_key IF EXISTS
