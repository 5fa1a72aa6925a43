// The task runs that hold leases within a run.
MATCH (l:Lease)-[:HELD_BY]->(:Run {id: $id})
RETURN l.run_id AS run_id
ORDER BY run_id
