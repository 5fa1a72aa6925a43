// Pools with the slots that are taken, and the number of tasks that wait.
MATCH (p:Pool)
CALL (p) {
  MATCH (c:PoolClaim {pool: p.name})
  MATCH (top:Run {id: c.root_id})
  WHERE top.launch IS NOT NULL
  WITH c, top.launch = 'CLAIMED' AND top.fence = c.fence AS is_live
  RETURN
    sum(CASE WHEN c.taken_at IS NOT NULL AND is_live THEN c.slots ELSE 0 END) AS taken,
    count(CASE WHEN c.taken_at IS NULL THEN 1 END) AS waiting
}
RETURN p.name AS name, p.slots AS slots, taken, waiting
ORDER BY name
