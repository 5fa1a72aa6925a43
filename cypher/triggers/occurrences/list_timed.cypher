// The conditions of a trigger with a next time: schedules, intervals, absences.
MATCH (t:Trigger {id: $trigger_id})-[:HAS_CONDITION]->(c:Condition)
WHERE c.operator IN ['CRON', 'INTERVAL', 'ABSENT']
RETURN c.id AS condition_id, c.operator AS operator, c.cron AS cron, c.zone AS zone, c.span AS span
ORDER BY condition_id
