// Lock a run whose children must still move to the jobs that follow from its own job; none above it.
MATCH (r:Run) WHERE r.unsettled_after IS NOT NULL
WITH r LIMIT 1
MATCH path = (top:Run)-[:PARENT_OF*0..]->(r) WHERE top.unsettled_after IS NOT NULL
WITH top ORDER BY length(path) DESC
LIMIT 1
// Another move may change the position until the lock is held, or finish.
SET top.locked = true
REMOVE top.locked
WITH top
RETURN top.id AS id, top.unsettled_after AS after
