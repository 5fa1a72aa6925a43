// Lock a run, and return the variables that it has read so far, as JSON.
MATCH (r:Run {id: $run_id})
SET r.locked = true
REMOVE r.locked
RETURN coalesce(r.variables, '{}') AS variables
