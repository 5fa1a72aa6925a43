// Count the firings of a trigger.
MATCH (t:Trigger {id: $trigger_id})
OPTIONAL MATCH (t)-[:FIRED]->(f:Firing)
RETURN count(f) AS firings
