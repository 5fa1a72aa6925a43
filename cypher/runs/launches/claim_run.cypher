// Claim a queued run for a process: a lease, and a fence that every later write must pass.
MATCH (r:Run {id: $id})
SET r.locked = true
REMOVE r.locked
WITH r WHERE r.launch = 'QUEUED'
SET r.launch = 'CLAIMED',
    r.owner = $owner,
    r.fence = r.fence + 1,
    r.launches = coalesce(r.launches, 0) + 1,
    r.lease_until = coalesce($now, datetime.realtime()) + $lease
WITH r
CALL (r) {
  MATCH (f:Firing)-[:STARTED]->(r)
  SET f.state = 'LAUNCHING'
}
RETURN r.id AS id, r.fence AS fence, r.launches AS launches
