// The jobs of runs.
UNWIND $run_ids AS run_id
MATCH (j:Job)-[:HAS_RUN]->(:Run {id: run_id})
RETURN run_id, j.key AS job_key
ORDER BY run_id, job_key
