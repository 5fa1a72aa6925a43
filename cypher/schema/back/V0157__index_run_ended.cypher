// The latest success of a job is found by reading all its runs again.
DROP INDEX run_ended IF EXISTS
