// Waiting tasks that can take their slots now, in the order of each pool, or that never can.
CALL () {
  MATCH (p:Pool)
  // The slots that are left.
  CALL (p) {
    MATCH (c:PoolClaim {pool: p.name})
    WHERE c.taken_at IS NOT NULL
    MATCH (top:Run {id: c.root_id, launch: 'CLAIMED'})
    USING INDEX top:Run(id)
    WHERE top.fence = c.fence
    RETURN sum(c.slots) AS taken
  }
  WITH p, CASE WHEN taken < p.slots THEN p.slots - taken ELSE 0 END AS free
  // The tasks that wait: of live workers, of parked runs, and of those that are being started.
  CALL (p, free) {
    MATCH (c:PoolClaim {pool: p.name})
    WHERE c.taken_at IS NULL AND c.slots <= p.slots AND c.held_back IS NULL
    MATCH (top:Run {id: c.root_id})
    WHERE (top.launch = 'CLAIMED' AND top.fence = c.fence)
      OR coalesce(c.woken_until > coalesce($now, datetime.realtime()), top.launch = 'PARKED')
    WITH c, top, free ORDER BY c.priority DESC, c.since, c.run_id
    WITH free, collect({claim: c, top: top})[..free] AS waiting
    UNWIND range(0, size(waiting) - 1) AS n
    WITH waiting[n] AS one, free,
      reduce(needed = 0, other IN waiting[..n + 1] | needed + other.claim.slots) AS needed
    WHERE needed <= free
    RETURN one.claim AS claim, one.top AS top
  }
  RETURN claim, top
  UNION
  MATCH (claim:PoolClaim)
  WHERE claim.taken_at IS NULL
    // Those of a closed pool wait until it has slots again.
    AND NOT EXISTS { (p:Pool {name: claim.pool}) WHERE p.slots >= claim.slots OR p.slots = 0 }
  MATCH (top:Run {id: claim.root_id})
  WHERE top.launch IS NOT NULL
  RETURN claim, top
}
RETURN
  claim.run_id AS run_id, top.id AS root_id, top.launch = 'PARKED' AS is_parked,
  top.wake_address AS address
ORDER BY root_id, run_id
