// Lock the lease of a task and a partition, and say which of its runs holds it.
MERGE (l:Lease {name: $name})
ON CREATE SET l.epoch = 0, l.job_key = $job_key
SET l.locked = true
REMOVE l.locked
WITH l
RETURN l.epoch AS epoch, l.run_id AS run_id, coalesce($now, datetime.realtime()) AS now
