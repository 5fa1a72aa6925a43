// Count the runs of a job.
MATCH (r:Run)
WHERE r.job_key = $key AND r.created_at IS NOT NULL
RETURN count(*) AS total
