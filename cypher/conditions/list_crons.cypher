// The cron conditions of a trigger.
MATCH (t:Trigger {id: $trigger_id})-[:WHEN]->(:Condition)-[:OPERAND*0..]->(c:Condition)
WHERE c.operator = 'CRON'
RETURN c.id AS id, c.cron AS cron, c.zone AS zone
ORDER BY id
