// Give a trigger the root of its condition tree.
MATCH (t:Trigger {id: $trigger_id})
MATCH (c:Condition {id: $id})
MERGE (t)-[:WHEN]->(c)
