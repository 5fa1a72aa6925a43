// The time since which no file defines a pipeline.
MATCH (j:Job {key: $job_key}) WHERE j.withdrawn_at IS NOT NULL
RETURN j.fqn AS fqn, j.withdrawn_at AS at
