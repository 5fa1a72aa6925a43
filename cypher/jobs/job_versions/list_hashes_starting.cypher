// Pipeline versions by the start of their hash, with their jobs.
MATCH (v:JobVersion) WHERE v.hash STARTS WITH $prefix
WITH v ORDER BY v.hash LIMIT 10
MATCH (j:Job)-[:HAS_VERSION]->(v)
RETURN v.hash AS version, j.fqn AS job
ORDER BY version, job
