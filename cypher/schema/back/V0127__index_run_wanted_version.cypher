// Without the index.
DROP INDEX run_wanted_version IF EXISTS
