// The current definitions of jobs that are pipelines.
UNWIND $keys AS key
MATCH (j:Job {key: key})
MATCH (v:JobVersion {hash: j.current_version})
WHERE v.definition IS NOT NULL
RETURN key AS job_key, v.definition AS definition
