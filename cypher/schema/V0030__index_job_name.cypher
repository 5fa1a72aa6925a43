// Jobs are found by the name that their producer gives them.
CREATE INDEX job_name IF NOT EXISTS FOR (n:Job) ON (n.name)
