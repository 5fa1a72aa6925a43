// Create or update the conditions of a trigger, the root first; existing ones keep their occurrences.
MATCH (t:Trigger {id: $trigger_id})
UNWIND $rows AS row
MERGE (c:Condition {id: row.id})
ON CREATE SET c.created_at = coalesce($now, datetime.realtime())
SET c += row.properties, c.next_at = row.next_at
MERGE (t)-[:HAS_CONDITION]->(c)
FOREACH (root IN CASE WHEN c.id = $rows[0].id THEN [c] ELSE [] END | MERGE (t)-[:WHEN]->(root))
