// Completed runs whose writing became news lately, and that a condition watches for but has not noted.
MATCH (r:Run) WHERE r.state_at >= coalesce($now, datetime.realtime()) - $since
  AND r.state = 'COMPLETED'
MATCH (r)-[:WRITES]->(v:DatasetVersion)<-[:HAS_VERSION]-(:Dataset)<-[:WATCHES]-(c:Condition)
MATCH (t:Trigger {enabled: true})-[:WHEN]->(:Condition)-[:OPERAND*0..]->(c)
WHERE v.written_at >= c.created_at
  AND v.written_at >= t.enabled_at
  AND NOT EXISTS { (c)-[:OCCURRED]->(v) }
  AND NOT EXISTS { (:Firing)-[:CONSUMED {condition_id: c.id}]->(v) }
RETURN DISTINCT r.id AS id
ORDER BY id
