// The source columns of some columns, with their distance in edges.
MATCH (start:Field)
WHERE start.key IN $keys
MATCH path = (start)-[derived:DERIVED_FROM*0..]->(f:Field)
WHERE all(e IN derived WHERE coalesce(e.type, 'DIRECT') IN $types)
WITH start, f, min(length(path)) AS steps
WITH f, min(steps) AS distance
WHERE distance <= $depth
MATCH (d:Dataset)-[:HAS_FIELD]->(f)
WHERE d.hidden_at IS NULL
RETURN f.key AS key, f.name AS name, f.type AS type, d.key AS dataset, distance
ORDER BY distance, key
LIMIT $limit
