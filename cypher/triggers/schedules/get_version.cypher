// A version of a job, if it has that one.
MATCH (j:Job {key: $key})-[:HAS_VERSION]->(v:JobVersion {hash: $version})
RETURN v.hash AS hash
