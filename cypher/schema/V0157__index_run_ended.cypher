// The latest success of a job is found without reading its other runs.
CREATE INDEX run_ended IF NOT EXISTS FOR (n:Run) ON (n.job_key, n.state, n.ended_at)
