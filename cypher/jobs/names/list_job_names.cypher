// The FQNs of all jobs, as far as the limit goes.
MATCH (j:Job)
WHERE j.hidden_at IS NULL
RETURN DISTINCT j.fqn AS name
ORDER BY name
LIMIT $limit
