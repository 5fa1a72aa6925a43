// Existing and visible columns among these keys.
UNWIND $keys AS key
MATCH (d:Dataset)-[:HAS_FIELD]->(f:Field {key: key})
WHERE d.hidden_at IS NULL
RETURN f.key AS key, f.name AS name, d.key AS dataset
ORDER BY key
