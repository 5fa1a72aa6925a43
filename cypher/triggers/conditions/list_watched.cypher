// The jobs whose ends or outputs the conditions of triggers wait for.
UNWIND $ids AS trigger_id
MATCH (:Trigger {id: trigger_id})-[:HAS_CONDITION]->(c:Condition)-[:WATCHES]->(what)
WHERE c.operator IN ['STATUS', 'DATASET']
OPTIONAL MATCH (what)-[:SAME_AS*0..1]->(:Dataset)<-[:PRODUCES]-(producer:Job)
WITH trigger_id, CASE WHEN what:Job THEN what ELSE producer END AS j WHERE j IS NOT NULL
RETURN DISTINCT trigger_id, j.key AS key
ORDER BY trigger_id, key
