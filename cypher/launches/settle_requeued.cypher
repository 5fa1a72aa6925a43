// Put a claimed run that never started back into the queue.
MATCH (r:Run {id: $id, launch: 'CLAIMED'})
SET r.launch = 'QUEUED'
REMOVE r.lease_until, r.owner
