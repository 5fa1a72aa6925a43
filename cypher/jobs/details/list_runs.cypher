// Runs by id, each with its job and its parent run.
UNWIND $ids AS id
MATCH (r:Run {id: id})
OPTIONAL MATCH (j:Job)-[:HAS_RUN]->(r)
OPTIONAL MATCH (p:Run)-[:PARENT_OF]->(r)
WITH r.id AS id, CASE WHEN p IS NOT NULL THEN [p.id, p.namespace, p.name] END AS parent,
     coalesce(j.namespace, r.namespace) AS namespace,
     coalesce([(top:Job)-[:PARENT_OF*]->(j) WHERE NOT EXISTS { (:Job)-[:PARENT_OF]->(top) }
               | top.namespace][0], j.namespace, r.namespace) AS top_namespace,
     coalesce(j.fqn, r.name) AS name, coalesce(j.simple_name, r.name) AS simple_name,
     coalesce(r.state, 'PENDING') AS state, coalesce(r.stub, false) AS stub,
     toString(r.created_at) AS created_at, toString(r.state_at) AS state_at,
     toString(r.started_at) AS started_at, toString(r.ended_at) AS ended_at,
     toString(r.nominal_start) AS nominal_start, toString(r.nominal_end) AS nominal_end,
     r.partition AS partition, r.params AS params, r.cost AS cost,
     coalesce(r.job_version, toStringOrNull(r.version)) AS version,
     CASE WHEN r.marked_at IS NOT NULL THEN r {
       .state, reason: r.mark_reason, author: r.marked_by, before: r.marked_from, at: toString(r.marked_at)
     } END AS mark
ORDER BY id
RETURN collect([
  id, parent, namespace, top_namespace, name, simple_name, state, stub, created_at, state_at,
  started_at, ended_at, nominal_start, nominal_end, partition, params, cost, version, mark
]) AS rows
