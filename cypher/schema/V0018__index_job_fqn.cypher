// Jobs are found by namespace and FQN.
CREATE INDEX job_fqn IF NOT EXISTS FOR (n:Job) ON (n.namespace, n.fqn)
