// End the sensor waits of runs.
UNWIND $run_ids AS run_id
MATCH (r:Run {id: run_id, launch: 'SENSING'})
USING INDEX r:Run(id)
REMOVE r.launch
