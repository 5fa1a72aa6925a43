// Give the lease of a task to one of its runs, within a run that has a worker; its waits are over.
MATCH (l:Lease {name: $name})
OPTIONAL MATCH (l)-[old:HELD_BY]->(:Run)
DELETE old
WITH DISTINCT l
MATCH (top:Run {id: $root_id})
SET l.epoch = l.epoch + 1,
    l.run_id = $run_id,
    l.last_run_id = $run_id,
    l.fence = $fence,
    l.taken_at = coalesce($now, datetime.realtime())
CREATE (l)-[:HELD_BY]->(top)
WITH l
// They must not wake it again while it waits for something else.
OPTIONAL MATCH (:Run {id: $run_id})-[w:WAITS_ON]->(:Job)
SET w.next_at = null, w.outcome = null
WITH DISTINCT l
RETURN l.epoch AS epoch
