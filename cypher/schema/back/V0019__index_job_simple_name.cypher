// Without the index.
DROP INDEX job_simple_name IF EXISTS
