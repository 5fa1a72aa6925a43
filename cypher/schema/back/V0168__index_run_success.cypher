// Without it.
DROP INDEX run_success IF EXISTS
