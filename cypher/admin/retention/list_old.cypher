// Runs of a job that ended before a time, or that were only named, newest first.
//
// Tasks of a run that goes on stay: whoever resumes it would run them again.
MATCH (r:Run)
WHERE r.job_key = $job_key AND r.created_at <= datetime($at)
  AND (r.created_at < datetime($at) OR r.id < $id)
  AND CASE
    WHEN r.ended_at IS NOT NULL THEN r.ended_at < $before
    ELSE r.stub AND r.queued_at IS NULL AND r.created_at < $before
  END
  AND NOT (r.kind IN ['task', 'group'] AND EXISTS {
    MATCH (top:Run)-[:PARENT_OF*1..]->(r) WHERE top.launch IS NOT NULL AND top.ended_at IS NULL
  })
WITH r ORDER BY r.job_key DESC, r.created_at DESC, r.id DESC
LIMIT $limit
RETURN r.id AS id, toString(r.created_at) AS created_at, r.state AS state, r.facts AS facts,
       COUNT { (r)<-[:REPORTS]-() } AS events,
       EXISTS { (:Job)-[:HAS_RUN {adopted: true}]->(r) } AS adopted,
       EXISTS { (:Cell)-[:HOLDS]->(r) }
         OR EXISTS { (r)-[:WRITES]->(:DatasetVersion)<-[:HOLDS]-(:Cell) }
         OR EXISTS { (:Firing {state: 'HELD'})-[:CONSUMED]->(r) }
         OR EXISTS { (r)-[:WRITES]->(:DatasetVersion)<-[:CONSUMED]-(:Firing {state: 'HELD'}) } AS held
