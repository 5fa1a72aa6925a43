// A run whose children must still move to the jobs that follow from its own job; none above it.
MATCH (r:Run) WHERE r.unsettled_after IS NOT NULL
WITH r LIMIT 1
MATCH path = (top:Run)-[:PARENT_OF*0..]->(r) WHERE top.unsettled_after IS NOT NULL
RETURN top.id AS id, top.unsettled_after AS after
ORDER BY length(path) DESC
LIMIT 1
