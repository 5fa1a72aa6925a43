// Lock the lease of a task and partition, and return its holder if its worker is alive or it deferred.
MERGE (l:Lease {name: $name})
ON CREATE SET l.epoch = 0, l.job_key = $job_key
SET l.locked = true
REMOVE l.locked
WITH l
OPTIONAL MATCH (l)-[:HELD_BY]->(top:Run)
WHERE top.launch = 'CLAIMED' AND top.fence = l.fence
  // A task that waits in its middle has no worker, and goes on with another.
  OR top.launch IS NOT NULL
  AND EXISTS { (:Run {id: l.run_id})-[w:WAITS_ON]->(:Sensor) WHERE w.asked IS NOT NULL }
RETURN
  l.epoch AS epoch,
  l.job_key AS job_key,
  CASE WHEN top IS NOT NULL THEN l.run_id END AS run_id,
  coalesce($now, datetime.realtime()) AS now
