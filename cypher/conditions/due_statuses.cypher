// Runs whose state became news lately, and that a condition watches for but has not noted.
MATCH (r:Run) WHERE r.state_at >= coalesce($now, datetime.realtime()) - $since
MATCH (r)<-[:HAS_RUN]-(:Job)<-[:WATCHES]-(c:Condition {operator: 'STATUS'})
WHERE r.state IN c.statuses
  AND r.ended_at >= c.created_at
MATCH (t:Trigger {enabled: true})-[:WHEN]->(:Condition)-[:OPERAND*0..]->(c)
WHERE r.ended_at >= t.enabled_at
  AND NOT EXISTS { (c)-[:OCCURRED {status: r.state}]->(r) }
  AND NOT EXISTS { (:Firing)-[:CONSUMED {condition_id: c.id, status: r.state}]->(r) }
RETURN DISTINCT r.id AS id
ORDER BY id
