// Link a run to the active skips of its jobs and their parents: one for each job.
MATCH (r:Run {id: $run_id})
MATCH (top:Job {key: r.job_key})
CALL (top) {
  MATCH (top)-[:PARENT_OF*0..]->(j:Job)
  WHERE NOT coalesce(j.kind, '') IN ['application', 'action']
  RETURN j
  UNION
  MATCH (top)-[:PARENT_OF*0..]->(:Job)-[:DEPENDS_ON]->(j:Job)
  RETURN j
}
MATCH path = (k:Job)-[:PARENT_OF*0..]->(j)
MATCH (s:Skip)-[:SKIPS]->(k)
WHERE s.removed_at IS NULL AND coalesce(s.expires_at > r.skips_at, true)
WITH r, j, s ORDER BY length(path), s.created_at DESC, s.id
WITH r, j, collect(s)[0] AS s
WITH r, s, collect(j.key) AS job_keys
MERGE (r)-[h:HEEDS]->(s)
SET h.job_keys = job_keys
