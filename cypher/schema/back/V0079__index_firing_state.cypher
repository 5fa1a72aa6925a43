// Without it.
DROP INDEX firing_state IF EXISTS
