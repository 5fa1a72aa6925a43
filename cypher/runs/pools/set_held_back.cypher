// Let others go first in a pool, as the run of a waiting task has no room for it now.
MATCH (c:PoolClaim {run_id: $run_id})
WHERE c.taken_at IS NULL
SET c.held_back = true
