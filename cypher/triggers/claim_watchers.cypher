// Lock the enabled triggers that watch the jobs of runs, or the datasets that the runs wrote.
UNWIND $run_ids AS run_id
MATCH (r:Run {id: run_id})
CALL (r) {
  MATCH (r)<-[:HAS_RUN]-(:Job)<-[:WATCHES]-(c:Condition)
  RETURN c
  UNION
  MATCH (r)-[:WRITES]->(:DatasetVersion)<-[:HAS_VERSION]-(:Dataset)<-[:WATCHES]-(c:Condition)
  RETURN c
}
MATCH (t:Trigger {enabled: true})-[:WHEN]->(:Condition)-[:OPERAND*0..]->(c)
WITH DISTINCT t ORDER BY t.id
SET t.locked = true
REMOVE t.locked
RETURN t.id AS id
ORDER BY id
