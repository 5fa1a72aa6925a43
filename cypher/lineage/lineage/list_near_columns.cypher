// Columns with these keys, also of hidden datasets.
UNWIND $keys AS key
MATCH (f:Field {key: key})
WITH DISTINCT f
MATCH (d:Dataset)-[:HAS_FIELD]->(f)
RETURN f.key AS key, f.name AS name, f.type AS type, d.key AS dataset,
       d.hidden_at IS NOT NULL AS hidden, d.same_as AS same_as,
       [(d)-[:SAME_AS]->(m:Dataset) | m.key] AS others
ORDER BY key
