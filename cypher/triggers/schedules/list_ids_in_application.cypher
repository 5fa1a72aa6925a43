// The triggers that start the jobs of an application.
MATCH (t:Trigger)-[:STARTS]->(:Job {namespace: $namespace, application: $application})
WHERE t.deleted_at IS NULL
RETURN t.id AS id
ORDER BY id
