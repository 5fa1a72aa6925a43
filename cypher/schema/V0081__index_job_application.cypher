// Find the jobs of an application.
CREATE INDEX job_application IF NOT EXISTS FOR (n:Job) ON (n.namespace, n.application)
