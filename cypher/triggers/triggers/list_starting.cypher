// The triggers that start a job.
MATCH (t:Trigger)-[:STARTS]->(:Job {key: $job_key})
WHERE t.deleted_at IS NULL
RETURN t.id AS id
ORDER BY id
