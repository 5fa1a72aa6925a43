// Lock the lease of a task and partition, and return its holder if the holder's worker is alive.
MERGE (l:Lease {name: $name})
ON CREATE SET l.epoch = 0, l.job_key = $job_key
SET l.locked = true
REMOVE l.locked
WITH l
OPTIONAL MATCH (l)-[:HELD_BY]->(top:Run {launch: 'CLAIMED'})
WHERE top.fence = l.fence
RETURN
  l.epoch AS epoch,
  l.job_key AS job_key,
  CASE WHEN top IS NOT NULL THEN l.run_id END AS run_id,
  coalesce($now, datetime.realtime()) AS now
