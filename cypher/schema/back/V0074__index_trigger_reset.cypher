// Without it.
DROP INDEX trigger_reset IF EXISTS
