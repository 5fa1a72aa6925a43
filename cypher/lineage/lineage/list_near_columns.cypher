// Columns with these keys, also of hidden datasets.
UNWIND $keys AS key
MATCH (f:Field {key: key})
WITH DISTINCT f
MATCH (d:Dataset)-[:HAS_FIELD]->(f)
RETURN f.key AS key, f.name AS name, f.type AS type, d.key AS dataset,
       d.hidden_at IS NOT NULL AS hidden
ORDER BY key
