// The jobs whose ends or outputs the conditions of a trigger wait for.
MATCH (t:Trigger {id: $trigger_id})-[:HAS_CONDITION]->(c:Condition)-[:WATCHES]->(what)
WHERE c.operator IN ['STATUS', 'DATASET']
OPTIONAL MATCH (what)-[:SAME_AS*0..1]->(:Dataset)<-[:PRODUCES]-(producer:Job)
WITH CASE WHEN what:Job THEN what ELSE producer END AS j WHERE j IS NOT NULL
RETURN DISTINCT j.key AS key, j.fqn AS fqn
ORDER BY key
