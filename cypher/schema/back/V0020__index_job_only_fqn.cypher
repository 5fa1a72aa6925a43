// Without the index.
DROP INDEX job_only_fqn IF EXISTS
