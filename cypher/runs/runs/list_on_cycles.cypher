// The runs on cycles of parents with their parents.
MATCH (p:Run)-[:PARENT_OF]->(r:Run)
WHERE r.on_cycle = true
OPTIONAL MATCH (j:Job)-[:HAS_RUN]->(r)
RETURN r.id AS id, p.id AS parent_id, coalesce(j.namespace, r.namespace) AS namespace,
       coalesce(j.fqn, r.name) AS job
ORDER BY id
LIMIT $limit
