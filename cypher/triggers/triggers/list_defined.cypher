// The triggers of jobs that come from definitions.
UNWIND $keys AS key
MATCH (t:Trigger)-[:STARTS]->(j:Job {key: key})
WHERE t.deleted_at IS NULL AND coalesce(t.origin, 'definition') = 'definition'
RETURN j.key AS job_key, t.id AS id
ORDER BY job_key, id
