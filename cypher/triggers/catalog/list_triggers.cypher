// A part of the triggers of a namespace and a job, or of all, each with its job and its latest firing.
MATCH (t:Trigger) WHERE t.deleted_at IS NULL
OPTIONAL MATCH (t)-[:STARTS]->(j:Job)
WITH t, j
WHERE ($namespace IS NULL OR j.namespace = $namespace) AND ($starts IS NULL OR j.fqn = $starts)
WITH t, j ORDER BY j.fqn, t.name, t.id SKIP $offset LIMIT $limit
RETURN t.id AS id, t.name AS name, coalesce(t.enabled, true) AS enabled,
       t.created_at AS created_at, t.generation AS generation, j.fqn AS starts,
       j.namespace AS namespace, t.text AS text,
       COUNT { (t)-[:FIRED]->() } AS firings,
       COLLECT { MATCH (t)-[:FIRED]->(f:Firing) RETURN f.fired_at ORDER BY f.fired_at DESC LIMIT 1 }[0]
         AS fired_at
ORDER BY starts, name, id
