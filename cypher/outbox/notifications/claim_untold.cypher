// Claim the firings of some jobs in some states without a notification, with the data for one; drop old ones.
WITH coalesce($now, datetime.realtime()) - $max_event_age AS since
MATCH (f:Firing)
WHERE f.untold_at IS NOT NULL
  AND (f.untold_at < since OR EXISTS {
    MATCH (f)<-[:FIRED]-(:Trigger)-[:STARTS]->(j:Job) WHERE [j.key, f.state] IN $taken
  })
WITH f, since ORDER BY f.untold_at LIMIT $limit
SET f.locked = true
REMOVE f.locked
WITH f, since, f.untold_at AS at WHERE at IS NOT NULL
REMOVE f.untold_at
WITH f, at WHERE at >= since
MATCH (f)<-[:FIRED]-(t:Trigger)-[:STARTS]->(j:Job)
// It may have been redriven meanwhile, or given up in another way.
WHERE [j.key, f.state] IN $taken
RETURN
  f.key AS key,
  f.state AS state,
  j.namespace AS namespace,
  j.fqn AS job,
  at,
  f.reason AS reason,
  f.kept_back AS message
