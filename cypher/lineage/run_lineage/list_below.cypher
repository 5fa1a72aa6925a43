// A run and its descendants.
MATCH (:Run {id: $id})-[:PARENT_OF*0..]->(r:Run)
WITH DISTINCT r
ORDER BY r.id <> $id, r.id
LIMIT $limit
RETURN r.id AS id
