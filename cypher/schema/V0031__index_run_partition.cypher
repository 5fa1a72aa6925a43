// The latest run of each partition of a job is found without reading the others.
CREATE INDEX run_partition IF NOT EXISTS FOR (n:Run) ON (n.job_key, n.partition, n.created_at)
