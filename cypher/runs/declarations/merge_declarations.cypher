// Create or lock declarations, and return their known facts.
UNWIND $keys AS key
MERGE (d:Declaration {key: key})
SET d.locked = true
REMOVE d.locked
WITH d
OPTIONAL MATCH (j:Job)-[:HAS_DECLARATION]->(d)
RETURN d.key AS key, d.facts AS facts, j.key AS job_key
ORDER BY key
