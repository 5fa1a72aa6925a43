// Runs that have just reached one of some states, with the data for a notification.
UNWIND $run_ids AS id
MATCH (r:Run {id: id})
WITH r, coalesce(r.ended_at, r.started_at, r.state_at) AS at
WHERE r.state IN $states AND at >= coalesce($now, datetime.realtime()) - $max_event_age
OPTIONAL MATCH (j:Job)-[:HAS_RUN]->(r)
RETURN
  r.id AS id,
  r.state AS state,
  coalesce(j.namespace, r.namespace) AS namespace,
  coalesce(j.fqn, r.name) AS job,
  at,
  r.reason AS reason,
  coalesce(r.message, r.error) AS message,
  NOT EXISTS { (:Run)-[:PARENT_OF]->(r) } AS is_top
ORDER BY id
