// Without it.
DROP INDEX firing_trigger IF EXISTS
