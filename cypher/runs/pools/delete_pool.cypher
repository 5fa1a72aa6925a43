// Delete a pool that no task uses, and return whether it was deleted.
MATCH (p:Pool {name: $name})
SET p.locked = true
REMOVE p.locked
WITH p, EXISTS {
  MATCH (c:PoolClaim {pool: p.name})
  MATCH (top:Run {id: c.root_id})
  WHERE top.launch IS NOT NULL AND (c.taken_at IS NULL OR top.fence = c.fence)
} AS is_used
CALL (p, is_used) {
  WITH p, is_used WHERE NOT is_used
  OPTIONAL MATCH (c:PoolClaim {pool: p.name})
  DELETE c
  WITH DISTINCT p
  DELETE p
}
RETURN NOT is_used AS is_deleted
