// One run with all its details.
MATCH (r:Run {id: $id})
OPTIONAL MATCH (j:Job)-[:HAS_RUN]->(r)
OPTIONAL MATCH (parent:Run)-[:PARENT_OF]->(r)
OPTIONAL MATCH (p:BackfillPartition)-[:STARTED]->(r)
RETURN r.id AS id, r.namespace AS namespace, coalesce(j.fqn, r.name, r.id) AS name,
       r.job_key AS job_key, coalesce(r.kind, j.kind) AS kind, coalesce(r.state, 'PENDING') AS state,
       r.created_at AS created_at, r.started_at AS started_at, r.ended_at AS ended_at,
       r.nominal_start AS nominal_start, r.nominal_end AS nominal_end, r.attempt AS attempt,
       r.version AS version, r.reason AS reason, r.message AS message, r.error AS error, r.params AS params, r.variables AS variables,
       r.emitted AS emitted, r.output AS output, r.cost AS cost, r.log AS log, r.owner AS owner, parent.id AS parent,
       p.backfill_id AS backfill, [(r)-[:RERUN_OF]->(o:Run) | o.id][0] AS rerun_of,
       r.rerun_number AS rerun_number, r.rerun_policy AS rerun_policy,
       CASE WHEN r.marked_at IS NOT NULL THEN r {
         .state, reason: r.mark_reason, author: r.marked_by, before: r.marked_from, at: toString(r.marked_at)
       } END AS mark,
       CASE WHEN r.acknowledged_at IS NOT NULL AND r.state IN ['FAILED', 'KILLED'] THEN {
         author: r.acknowledged_by, note: r.acknowledgement, at: toString(r.acknowledged_at)
       } END AS acknowledgement
