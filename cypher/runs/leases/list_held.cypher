// The task runs that hold leases within a run; deferred ones keep theirs without a worker.
MATCH (l:Lease)-[:HELD_BY]->(:Run {id: $id})
WHERE NOT EXISTS { (:Run {id: l.run_id})-[w:WAITS_ON]->(:Sensor) WHERE w.asked IS NOT NULL }
RETURN l.run_id AS run_id
ORDER BY run_id
