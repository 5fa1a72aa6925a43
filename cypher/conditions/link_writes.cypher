// Note the dataset versions that completed runs wrote as occurrences of the conditions that watch.
UNWIND $run_ids AS run_id
MATCH (r:Run {id: run_id, state: 'COMPLETED'})-[:WRITES]->(v:DatasetVersion)
MATCH (v)<-[:HAS_VERSION]-(:Dataset)<-[:WATCHES]-(c:Condition {operator: 'DATASET'})
WHERE v.written_at >= c.created_at
  AND v.written_at >= coalesce($now, datetime.realtime()) - $news
MATCH (t:Trigger)-[:WHEN]->(:Condition)-[:OPERAND*0..]->(c)
WHERE t.id IN $trigger_ids
  AND v.written_at >= t.enabled_at
  AND NOT EXISTS { (t)-[:FIRED]->(:Firing)-[:CONSUMED {condition_id: c.id}]->(v) }
MERGE (c)-[o:OCCURRED {status: 'WRITTEN'}]->(v)
SET o.occurred_at = v.written_at
