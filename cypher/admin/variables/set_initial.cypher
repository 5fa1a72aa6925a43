// Store the variables that a run's definition was read with, unless the run has some.
MATCH (r:Run {id: $run_id})
MATCH (f:DefinitionFile)-[:DECLARES]->(:Job {key: r.job_key})
SET r.variables = coalesce(r.variables, f.variable_values)
