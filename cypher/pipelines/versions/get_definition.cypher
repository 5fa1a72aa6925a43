// The current definition of a pipeline.
MATCH (j:Job {key: $job_key})
MATCH (v:JobVersion {hash: j.current_version})
RETURN v.definition AS definition
