// The triggers that start jobs, by name.
MATCH (t:Trigger)-[:STARTS]->(:Job)
WHERE t.deleted_at IS NULL
RETURN t.id AS id
ORDER BY t.name, id
