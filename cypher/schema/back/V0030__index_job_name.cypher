// Without the index.
DROP INDEX job_name IF EXISTS
