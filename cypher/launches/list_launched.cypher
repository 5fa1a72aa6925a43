// The runs of tasks that earlier launches of a run left behind, but for those that were lost.
MATCH (:Run {id: $id})-[:PARENT_OF]->(r:Run)<-[:HAS_RUN]-(j:Job)
WHERE coalesce(r.reason, '') <> 'LOST' AND r.state IN
  ['WAITING', 'COMPLETED', 'FAILED', 'KILLED', 'FRESH_SKIP', 'SKIPPED']
RETURN j.key AS job_key, r.id AS id, r.state AS state, r.reason AS reason, r.emitted AS emitted
ORDER BY r.created_at, id
