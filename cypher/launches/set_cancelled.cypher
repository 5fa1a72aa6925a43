// Ask the worker of a run to end it.
MATCH (r:Run {id: $id}) WHERE r.launch IS NOT NULL
SET r.cancel_requested = true
RETURN r.launch AS launch
