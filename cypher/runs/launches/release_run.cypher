// Delete the lease of an ended run; the firing of a run that could not start becomes a dead letter.
MATCH (r:Run {id: $id})
REMOVE r.launch, r.leased_at, r.lease_until, r.owner, r.wake_address, r.resting_since
WITH r
MATCH (f:Firing)-[:STARTED]->(r)
SET f.state = CASE r.reason WHEN 'NOT_STARTED' THEN 'DEAD_LETTER' ELSE 'LAUNCHED' END,
    f.kept_back = CASE r.reason WHEN 'NOT_STARTED' THEN r.error END,
    f.untold_at = CASE r.reason WHEN 'NOT_STARTED' THEN r.ended_at END
