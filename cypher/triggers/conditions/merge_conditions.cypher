// Make sure that the conditions of a trigger exist, the root first; those it had keep what occurred.
MATCH (t:Trigger {id: $trigger_id})
UNWIND $rows AS row
MERGE (c:Condition {id: row.id})
ON CREATE SET c.created_at = coalesce($now, datetime.realtime())
SET c += row.properties, c.next_at = row.next_at
MERGE (t)-[:HAS_CONDITION]->(c)
FOREACH (root IN CASE WHEN c.id = $rows[0].id THEN [c] ELSE [] END | MERGE (t)-[:WHEN]->(root))
