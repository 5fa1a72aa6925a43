// Without it.
DROP INDEX trigger_name IF EXISTS
