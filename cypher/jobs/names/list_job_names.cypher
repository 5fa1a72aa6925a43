// The FQNs of all jobs, up to a limit.
MATCH (j:Job)
WHERE j.hidden_at IS NULL
RETURN DISTINCT j.fqn AS name
ORDER BY name
LIMIT $limit
