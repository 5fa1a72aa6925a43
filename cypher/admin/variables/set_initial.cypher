// Let a run begin with the variables that its definition was read with, unless it has some.
MATCH (r:Run {id: $run_id})
MATCH (f:DefinitionFile)-[:DECLARES]->(:Job {key: r.job_key})
SET r.variables = coalesce(r.variables, f.variable_values)
