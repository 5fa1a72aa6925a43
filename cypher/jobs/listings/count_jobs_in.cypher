// How many jobs have a namespace as their own.
MATCH (j:Job)
WHERE j.namespace = $namespace AND j.fqn IS NOT NULL AND j.hidden_at IS NULL
RETURN count(*) AS total
