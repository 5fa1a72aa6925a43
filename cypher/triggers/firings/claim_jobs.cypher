// Lock the jobs of firings, and return the firings that have not started a run yet.
UNWIND $keys AS key
MATCH (f:Firing {key: key})<-[:FIRED]-(t:Trigger)-[:STARTS]->(j:Job)
WITH f, t, j ORDER BY j.key, f.key
SET j.locked = true
REMOVE j.locked
WITH f, t
WHERE f.state IN ['PENDING', 'HELD'] AND f.started_at IS NULL
RETURN
  f.key AS key,
  t.id AS trigger_id,
  t.rule AS rule,
  f.reason AS reason,
  coalesce(t.limited, false) OR t.made_by IS NOT NULL AS limited,
  coalesce(t.mapped, false) AS mapped
ORDER BY f.fired_at, f.generation, key
