// Runs are counted by reading them again.
DROP INDEX run_state IF EXISTS
