// Keep the variables that a run saw, with their values.
MATCH (r:Run {id: $run_id})
SET r.variables = $variables
