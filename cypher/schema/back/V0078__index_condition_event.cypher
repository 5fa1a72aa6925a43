// Without it.
DROP INDEX condition_event IF EXISTS
