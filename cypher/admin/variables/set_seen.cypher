// Store the variables that a run read, with their values.
MATCH (r:Run {id: $run_id})
SET r.variables = $variables
