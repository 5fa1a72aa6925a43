// How many partitions a job ran for.
MATCH (r:Run)
WHERE r.job_key = $key AND r.partition IS NOT NULL AND r.created_at IS NOT NULL
RETURN count(DISTINCT r.partition) AS total
