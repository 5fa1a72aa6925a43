// How often a trigger has fired.
MATCH (t:Trigger {id: $trigger_id})
OPTIONAL MATCH (t)-[:FIRED]->(f:Firing)
RETURN count(f) AS firings
