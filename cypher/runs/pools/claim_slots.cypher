// Take slots of a pool for a task, or a place in its queue; the pool is locked.
MATCH (p:Pool {name: $pool})
SET p.locked = true
REMOVE p.locked
WITH p, coalesce($now, datetime.realtime()) AS now
// The task's claim: slots that an earlier worker took for it died with that worker.
MERGE (own:PoolClaim {run_id: $run_id})
ON CREATE SET own.since = now, own.fence = $fence
SET own.taken_at = CASE WHEN own.fence = $fence AND own.pool = p.name THEN own.taken_at END,
    own.fence = $fence,
    own.pool = p.name,
    own.root_id = $root_id,
    own.job_key = $job_key,
    own.slots = $slots,
    own.priority = $priority
REMOVE own.woken_until, own.held_back
WITH p, own, now
// Claims that no worker has any more: of ended runs, and of tasks that ran when theirs died.
CALL (p) {
  MATCH (c:PoolClaim {pool: p.name})
  OPTIONAL MATCH (top:Run {id: c.root_id})
  WITH c, top
  WHERE top.launch IS NULL
    OR (c.taken_at IS NOT NULL AND (top.launch <> 'CLAIMED' OR top.fence <> c.fence))
  DELETE c
}
// The slots that others have, and those that others get first.
CALL (p, own, now) {
  MATCH (c:PoolClaim {pool: p.name})
  WHERE c <> own
  MATCH (top:Run {id: c.root_id})
  WITH c, own, top.launch = 'CLAIMED' AND top.fence = c.fence AS is_live,
    coalesce(c.woken_until > now, top.launch = 'PARKED') AS is_woken
  WITH
    c.slots AS slots,
    c.taken_at IS NOT NULL AS is_taken,
    c.slots <= p.slots AND c.held_back IS NULL AND (is_live OR is_woken)
      AND (c.priority > own.priority OR (c.priority = own.priority
        AND (c.since < own.since OR (c.since = own.since AND c.run_id < own.run_id)))) AS is_first
  RETURN
    sum(CASE WHEN is_taken THEN slots ELSE 0 END) AS taken,
    sum(CASE WHEN NOT is_taken AND is_first THEN slots ELSE 0 END) AS first
}
SET own.taken_at = CASE
  WHEN own.taken_at IS NOT NULL THEN own.taken_at
  WHEN taken + first + own.slots <= p.slots THEN now
END
RETURN own.taken_at IS NOT NULL AS is_taken, p.slots AS slots, taken
