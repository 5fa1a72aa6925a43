// The descendants of a run, by distance and then start.
MATCH path = (:Run {id: $id})-[:PARENT_OF*1..]->(r:Run)
WHERE r.id <> $id
WITH r, min(length(path)) AS distance
WITH r.id AS id
ORDER BY distance, r.created_at, id
SKIP $offset
LIMIT $limit
RETURN collect(id) AS rows
