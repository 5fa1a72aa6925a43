// Count the jobs with this own namespace.
MATCH (j:Job)
WHERE j.namespace = $namespace AND j.fqn IS NOT NULL AND j.hidden_at IS NULL
RETURN count(*) AS total
