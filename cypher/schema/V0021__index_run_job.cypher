// The newest runs of a job are found without reading the others.
CREATE INDEX run_job IF NOT EXISTS FOR (n:Run) ON (n.job_key, n.created_at)
