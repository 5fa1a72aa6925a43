// Take the lease off a run that ended.
MATCH (r:Run {id: $id})
REMOVE r.launch, r.lease_until, r.owner
WITH r
OPTIONAL MATCH (f:Firing)-[:STARTED]->(r)
SET f.state = 'LAUNCHED'
