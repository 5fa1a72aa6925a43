// Lock a run for a write of its worker, and return whether the worker still holds it.
MATCH (r:Run {id: $id})
SET r.locked = true
REMOVE r.locked
RETURN coalesce(r.launch = 'CLAIMED' AND r.fence = $fence, false) AS is_held
