// The values that runs returned, with the full names of their jobs.
UNWIND $ids AS id
MATCH (r:Run {id: id})
WHERE r.output IS NOT NULL
OPTIONAL MATCH (j:Job)-[:HAS_RUN]->(r)
RETURN r.id AS id, coalesce(j.fqn, r.name, r.id) AS name, r.output AS output
ORDER BY name, id
