// Jobs are found by their simple name.
CREATE INDEX job_simple_name IF NOT EXISTS FOR (n:Job) ON (n.simple_name)
