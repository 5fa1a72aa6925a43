// Without the constraint.
DROP CONSTRAINT unique_job_version IF EXISTS
