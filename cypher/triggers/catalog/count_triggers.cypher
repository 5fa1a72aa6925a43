// Count the triggers that start jobs of a namespace, or all.
MATCH (t:Trigger) WHERE t.deleted_at IS NULL
OPTIONAL MATCH (t)-[:STARTS]->(j:Job)
WITH t, j WHERE $namespace IS NULL OR j.namespace = $namespace
RETURN count(t) AS triggers
