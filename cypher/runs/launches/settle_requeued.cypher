// Queue a claimed run that never started again, with a delay.
MATCH (r:Run {id: $id, launch: 'CLAIMED'})
USING INDEX r:Run(id)
// What counts from its submission counts from the first.
SET r.submitted_at = coalesce(r.submitted_at, r.queued_at)
SET r.launch = 'QUEUED', r.queued_at = coalesce($now, datetime.realtime()) + $delay
REMOVE r.leased_at, r.lease_until, r.owner
WITH r
MATCH (f:Firing)-[:STARTED]->(r)
SET f.state = 'PENDING'
