// Count the partitions of a job's runs.
MATCH (r:Run)
WHERE r.job_key = $key AND r.partition IS NOT NULL AND r.created_at IS NOT NULL
RETURN count(DISTINCT r.partition) AS total
