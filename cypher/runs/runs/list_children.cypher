// The children of runs after those already handled; runs can be on a cycle of parents.
UNWIND $rows AS row
MATCH (r:Run {id: row.id})-[:PARENT_OF]->(child:Run)
WHERE child.id > row.after AND child.id <> r.id
RETURN r.id AS parent_id, child.id AS id
ORDER BY parent_id, id
LIMIT $limit
