// Give the lease of a task to one of its runs, which is a part of another.
MATCH (l:Lease {name: $name})
MATCH (top:Run {id: $root_id})
SET l.epoch = l.epoch + 1,
    l.run_id = $run_id,
    l.taken_at = coalesce($now, datetime.realtime())
CREATE (l)-[:HELD_BY]->(top)
RETURN l.epoch AS epoch
