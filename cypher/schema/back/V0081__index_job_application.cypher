// Do without the index of applications.
DROP INDEX job_application IF EXISTS
