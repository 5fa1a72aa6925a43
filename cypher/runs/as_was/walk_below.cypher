// The descendants of a run, parents first and in the order in which they began.
MATCH path = (:Run {id: $id})-[:PARENT_OF*1..]->(r:Run)
WITH r, length(path) AS distance, nodes(path)[-2] AS parent
ORDER BY distance, r.created_at, r.id
LIMIT $limit
OPTIONAL MATCH (j:Job)-[:HAS_RUN]->(r)
RETURN r.id AS id, parent.id AS parent, coalesce(j.fqn, r.name, r.id) AS name,
       coalesce(j.simple_name, r.name, r.id) AS simple_name, coalesce(r.kind, j.kind) AS kind,
       r.task AS task,
       coalesce(r.state, 'PENDING') AS state, r.created_at AS created_at, r.started_at AS started_at,
       r.ended_at AS ended_at, r.attempt AS attempt, r.reason AS reason,
       r.message AS message, r.error AS error, r.log AS log, [(r)-[:FOLLOWS]->(f:Run) | f.id] AS follows
ORDER BY distance, created_at, id
