// Without it.
DROP INDEX attempt_end IF EXISTS
