// Let a run begin with the variables that its definition was read with, unless it has some.
MATCH (r:Run {id: $run_id})
SET r.variables = coalesce(r.variables, $variables)
