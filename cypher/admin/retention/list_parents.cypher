// The condemned parents of runs.
UNWIND $ids AS id
MATCH (p:Run {condemned: $sweep})-[:PARENT_OF]->(:Run {id: id})
RETURN DISTINCT p.id AS id
ORDER BY id
