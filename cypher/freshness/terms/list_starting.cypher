// The triggers that start a job or one above it, by name.
MATCH (t:Trigger)-[:STARTS]->(:Job)-[:PARENT_OF*0..]->(:Job {key: $key})
WITH DISTINCT t ORDER BY t.name, t.id
RETURN t.id AS id
