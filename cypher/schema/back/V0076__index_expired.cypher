// Without it.
DROP INDEX expired_key IF EXISTS
