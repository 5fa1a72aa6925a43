// Note the states that runs reached as occurrences of the conditions that watch for them, each once.
UNWIND $run_ids AS run_id
MATCH (r:Run {id: run_id})<-[:HAS_RUN]-(:Job)<-[:WATCHES]-(c:Condition {operator: 'STATUS'})
WHERE r.state IN c.statuses
  AND r.ended_at >= c.created_at
  AND r.ended_at >= coalesce($now, datetime.realtime()) - $news
MATCH (t:Trigger)-[:WHEN]->(:Condition)-[:OPERAND*0..]->(c)
WHERE t.id IN $trigger_ids
  AND r.ended_at >= t.enabled_at
  AND NOT EXISTS { (t)-[:FIRED]->(:Firing)-[:CONSUMED {condition_id: c.id, status: r.state}]->(r) }
MERGE (c)-[o:OCCURRED {status: r.state}]->(r)
SET o.occurred_at = r.ended_at
