// A run and its descendants.
MATCH (:Run {id: $id})-[:PARENT_OF*0..]->(r:Run)
RETURN DISTINCT r.id AS id
ORDER BY id
LIMIT $limit
