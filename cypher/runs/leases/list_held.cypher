// The runs of tasks that hold leases for a run which they are a part of.
MATCH (l:Lease)-[:HELD_BY]->(:Run {id: $id})
RETURN l.run_id AS run_id
ORDER BY run_id
