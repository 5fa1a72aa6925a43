// Keep the hash of the request that a run was queued for, to know it if it is sent again.
MATCH (r:Run {id: $id})
SET r.request = $request
