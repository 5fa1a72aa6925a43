// Move runs to their jobs.
UNWIND $rows AS row
MATCH (r:Run {id: row.id})
OPTIONAL MATCH (:Job)-[old:HAS_RUN]->(r)
DELETE old
WITH DISTINCT r, row
MATCH (j:Job {key: row.job_key})
CREATE (j)-[:HAS_RUN {adopted: row.adopted}]->(r)
SET r.job_key = row.job_key
WITH r
// What triggers know of a run they know of its job.
WHERE r.state IN ['COMPLETED', 'FAILED', 'KILLED'] AND r.state_at > datetime('1971-01-01T00:00:00Z')
SET r.unjudged_since = r.state_at
