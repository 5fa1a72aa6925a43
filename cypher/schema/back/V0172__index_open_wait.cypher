// Without it.
DROP INDEX open_wait IF EXISTS
