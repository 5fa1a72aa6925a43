// A version of a job, if the job has it.
MATCH (j:Job {key: $key})-[:HAS_VERSION]->(v:JobVersion {hash: $version})
RETURN v.hash AS hash
