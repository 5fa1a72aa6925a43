// Without the index.
DROP INDEX run_wanted_environment IF EXISTS
