// Claim a queued run for a process: a lease, and a fence that every later write must pass.
MATCH (r:Run {id: $id})
SET r.locked = true
REMOVE r.locked
// A claim whose answer was lost is repeated: then the run is this claim's already.
WITH r, coalesce(r.launch = 'CLAIMED' AND r.claim = $claim, false) AS is_own
WHERE r.launch = 'QUEUED' OR is_own
SET r.launch = 'CLAIMED',
    r.owner = $owner,
    r.claim = $claim,
    r.fence = r.fence + CASE WHEN is_own THEN 0 ELSE 1 END,
    r.launches = coalesce(r.launches, 0) + CASE WHEN is_own THEN 0 ELSE 1 END,
    r.leased_at = coalesce($now, datetime.realtime()),
    r.lease_until = coalesce($now, datetime.realtime()) + $lease
WITH r
CALL (r) {
  MATCH (f:Firing)-[:STARTED]->(r)
  SET f.state = 'LAUNCHING'
}
RETURN r.id AS id, r.fence AS fence, r.launches AS launches
