// The runs of a version of a job are found, the newest first.
CREATE INDEX run_version IF NOT EXISTS FOR (n:Run) ON (n.job_key, n.job_version, n.created_at)
