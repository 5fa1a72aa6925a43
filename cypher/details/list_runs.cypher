// Runs by id, each with the job that it is of and the run above it.
// Times are told in seconds: the driver is slow to read many of its own kind.
UNWIND $ids AS id
MATCH (r:Run {id: id})
OPTIONAL MATCH (j:Job)-[:HAS_RUN]->(r)
OPTIONAL MATCH (p:Run)-[:PARENT_OF]->(r)
RETURN r.id AS id, p {.id, .namespace, .name} AS parent, coalesce(j.namespace, r.namespace) AS namespace,
       coalesce([(top:Job)-[:PARENT_OF*]->(j) WHERE NOT EXISTS { (:Job)-[:PARENT_OF]->(top) }
                 | top.namespace][0], j.namespace, r.namespace) AS top_namespace,
       coalesce(j.fqn, r.name) AS name, coalesce(j.simple_name, r.name) AS simple_name,
       coalesce(r.state, 'PENDING') AS state,
       coalesce(r.stub, false) AS stub,
       r.created_at.epochSeconds + r.created_at.microsecond / 1e6 AS created_at,
       r.state_at.epochSeconds + r.state_at.microsecond / 1e6 AS state_at,
       r.started_at.epochSeconds + r.started_at.microsecond / 1e6 AS started_at,
       r.ended_at.epochSeconds + r.ended_at.microsecond / 1e6 AS ended_at,
       r.nominal_start.epochSeconds + r.nominal_start.microsecond / 1e6 AS nominal_start,
       r.nominal_end.epochSeconds + r.nominal_end.microsecond / 1e6 AS nominal_end,
       r.partition AS partition, r.params AS params,
       coalesce(r.job_version, toStringOrNull(r.version)) AS version
ORDER BY id
