// The children of a run, in the order in which they began.
MATCH (:Run {id: $id})-[:PARENT_OF]->(r:Run)
WHERE r.id <> $id
WITH r.id AS id
ORDER BY r.created_at, id
SKIP $offset
LIMIT $limit
RETURN collect(id) AS rows
