// A silent run and its open descendants without a worker here, deepest first.
MATCH path = (top:Run {id: $id})-[:PARENT_OF*0..]->(r:Run)
WHERE r.state = 'RUNNING' AND r.queued_at IS NULL
WITH r, max(length(path)) AS depth
RETURN r.id AS id, r.namespace AS namespace, r.name AS name, r.facts AS facts
ORDER BY depth DESC, id
