// Jobs, each with its served namespace.
MATCH (j:Job) WHERE j.key > $after
WITH j ORDER BY j.key LIMIT $limit
OPTIONAL MATCH (top:Job)-[:PARENT_OF*]->(j)
WHERE $inherit AND NOT EXISTS { (:Job)-[:PARENT_OF]->(top) }
WITH j, top ORDER BY top.key
WITH j, collect(top)[0] AS top
RETURN j.key AS key, coalesce(top.namespace, j.namespace) AS namespace
ORDER BY key
