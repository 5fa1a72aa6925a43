// Runs of a job that wait for a worker or have one are found without reading the others.
CREATE INDEX run_slot IF NOT EXISTS FOR (n:Run) ON (n.job_key, n.launch)
