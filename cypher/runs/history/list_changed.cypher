// The topmost runs of all jobs whose state changed since a time, latest first; optionally of some states.
CALL () {
  WITH coalesce($since, datetime({year: 1900})) AS since
  WHERE $states IS NULL
  MATCH (r:Run)
  WHERE r.state_at >= since
    AND ($namespace IS NULL OR r.namespace = $namespace)
    AND NOT ($unacknowledged AND r.acknowledged_at IS NOT NULL)
    AND NOT EXISTS { (:Run)-[:PARENT_OF]->(r) }
  RETURN r
  ORDER BY r.state_at DESC
  LIMIT $limit
  UNION ALL
  WITH coalesce($since, datetime({year: 1900})) AS since
  UNWIND $states AS state
  CALL (since, state) {
    MATCH (r:Run)
    WHERE r.state = state AND r.state_at >= since
      AND ($namespace IS NULL OR r.namespace = $namespace)
      AND NOT ($unacknowledged AND r.acknowledged_at IS NOT NULL)
      AND NOT EXISTS { (:Run)-[:PARENT_OF]->(r) }
    RETURN r
    ORDER BY r.state DESC, r.state_at DESC
    LIMIT $limit
  }
  RETURN r
}
WITH r
ORDER BY r.state_at DESC
LIMIT $limit
OPTIONAL MATCH (j:Job {key: r.job_key})
OPTIONAL MATCH (by:Firing|BackfillPartition)-[:STARTED]->(r)
RETURN
  r.id AS id, coalesce(j.fqn, r.name) AS job, coalesce(j.namespace, r.namespace) AS namespace,
  coalesce(r.state, 'PENDING') AS state, r.state_at AS state_at, r.started_at AS started_at,
  r.ended_at AS ended_at, r.partition AS partition, r.params AS params, r.reason AS reason,
  r.message AS message, r.error AS error,
  coalesce(by.reason, 'backfill ' + by.backfill_id,
           [(r)-[:RERUN_OF]->(o:Run) | 'rerun of ' + o.id][0]) AS fired_by,
  CASE WHEN r.acknowledged_at IS NOT NULL AND r.state IN ['FAILED', 'KILLED'] THEN {
    author: r.acknowledged_by, note: r.acknowledgement, at: toString(r.acknowledged_at)
  } END AS acknowledgement
ORDER BY state_at DESC, id DESC
