// Lock some condemned runs; runs with new events stay.
MATCH (r:Run {condemned: $sweep})
WITH r LIMIT $limit
// To set a label takes the lock of the index: whoever merges the node waits, or was waited for.
REMOVE r:Run
SET r:Run
WITH r
CALL (r) {
  WITH r
  WHERE COUNT { (r)<-[:REPORTS]-() } <> r.condemned_events
    OR EXISTS { MATCH (r)-[:PARENT_OF]->(c:Run) WHERE c.condemned IS NULL OR c.condemned <> $sweep }
    OR EXISTS {
      MATCH (again:Run)-[:RERUN_OF]->(:Run)-[:PARENT_OF*0..]->(r)
      WHERE size(coalesce(again.only, [])) > 0
        AND (again.condemned IS NULL OR again.condemned <> $sweep)
    }
    OR EXISTS { (:Cell)-[:HOLDS]->(r) }
    OR EXISTS { (:Firing {state: 'HELD'})-[:CONSUMED]->(r) }
  REMOVE r.condemned, r.condemned_events
}
RETURN
  r.id AS id,
  r.job_key AS job_key,
  r.condemned IS NULL AS stays,
  COUNT { (r)<-[:REPORTS]-() } AS events,
  COUNT { (r)-[:WRITES]->(:DatasetVersion) } AS versions
ORDER BY id
