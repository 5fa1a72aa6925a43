// Queue parked runs whose tasks can take slots, which are kept for them until they have a worker.
UNWIND $rows AS row
MATCH (top:Run {id: row.root_id})
SET top.locked = true
REMOVE top.locked
WITH row, top
WHERE top.launch = 'PARKED'
SET top.launch = 'QUEUED', top.queued_at = coalesce($now, datetime.realtime())
WITH row
UNWIND row.run_ids AS run_id
MATCH (c:PoolClaim {run_id: run_id})
SET c.woken_until = coalesce($now, datetime.realtime()) + $term
