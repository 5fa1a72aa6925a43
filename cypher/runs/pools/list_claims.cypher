// The tasks that hold or wait for slots of a pool, in the order in which they get them.
MATCH (c:PoolClaim {pool: $pool})
MATCH (top:Run {id: c.root_id})
WHERE top.launch IS NOT NULL
  AND (c.taken_at IS NULL OR (top.launch = 'CLAIMED' AND top.fence = c.fence))
OPTIONAL MATCH (j:Job {key: c.job_key})
RETURN
  c.run_id AS run_id, c.root_id AS root_id, j.fqn AS job, c.slots AS slots,
  c.priority AS priority, c.since AS since, c.taken_at AS taken_at
ORDER BY taken_at IS NULL, priority DESC, since, run_id
