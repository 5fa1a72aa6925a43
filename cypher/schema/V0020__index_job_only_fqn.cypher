// Jobs are found by FQN alone.
CREATE INDEX job_only_fqn IF NOT EXISTS FOR (n:Job) ON (n.fqn)
