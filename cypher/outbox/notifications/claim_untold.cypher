// Claim the firings in some states without a notification, with the data for one.
WITH coalesce($now, datetime.realtime()) - $max_event_age AS since
MATCH (f:Firing)
WHERE f.untold_at IS NOT NULL AND (f.state IN $states OR f.untold_at < since)
WITH f, since ORDER BY f.untold_at LIMIT $limit
SET f.locked = true
REMOVE f.locked
WITH f, since, f.untold_at AS at WHERE at IS NOT NULL
REMOVE f.untold_at
WITH f, at WHERE at >= since AND f.state IN $states
MATCH (f)<-[:FIRED]-(t:Trigger)-[:STARTS]->(j:Job)
RETURN
  f.key AS key,
  f.state AS state,
  j.namespace AS namespace,
  j.fqn AS job,
  at,
  f.reason AS reason,
  f.kept_back AS message
