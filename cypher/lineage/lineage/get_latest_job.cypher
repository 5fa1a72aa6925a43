// The job with a data flow that ran last; none if the newest runs are of other jobs.
MATCH (r:Run) WHERE r.created_at IS NOT NULL
WITH r ORDER BY r.created_at DESC LIMIT 500
MATCH (j:Job {key: r.job_key})
WHERE j.hidden_at IS NULL AND EXISTS { (j)-[:PRODUCES|FEEDS]-(:Dataset) }
WITH r, j ORDER BY r.created_at DESC, j.key LIMIT 1
RETURN j.key AS key
