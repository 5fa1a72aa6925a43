// Without the index.
DROP INDEX job_fqn IF EXISTS
