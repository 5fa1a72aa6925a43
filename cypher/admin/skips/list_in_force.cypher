// The active skips of a job and of its ancestors, nearest job first.
MATCH path = (k:Job)-[:PARENT_OF*0..]->(:Job {key: $job_key})
MATCH (s:Skip)-[:SKIPS]->(k)
WHERE s.removed_at IS NULL AND coalesce(s.expires_at > coalesce($now, datetime.realtime()), true)
RETURN s.id AS id, k.key AS job_key, k.fqn AS job
ORDER BY length(path), s.created_at DESC, id
