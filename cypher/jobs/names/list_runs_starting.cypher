// Runs whose id starts with a prefix.
MATCH (r:Run)
WHERE r.id STARTS WITH $prefix
RETURN r.id AS id, r.job_key AS job_key, r.name AS name, r.state AS state
ORDER BY id
LIMIT 6
