// Count all jobs.
MATCH (j:Job)
WHERE j.fqn IS NOT NULL AND j.hidden_at IS NULL
RETURN count(*) AS total
