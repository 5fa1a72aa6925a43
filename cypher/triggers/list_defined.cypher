// The triggers of a job that its definition states.
MATCH (t:Trigger)-[:STARTS]->(:Job {key: $job_key})
WHERE t.deleted_at IS NULL AND coalesce(t.origin, 'definition') = 'definition'
RETURN t.id AS id
ORDER BY id
