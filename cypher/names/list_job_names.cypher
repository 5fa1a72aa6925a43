// The FQNs of all jobs, as far as the limit goes.
MATCH (j:Job)
RETURN DISTINCT j.fqn AS name
ORDER BY name
LIMIT $limit
