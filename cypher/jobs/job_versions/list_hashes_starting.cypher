// Versions of pipelines whose hash has a beginning, with the jobs that have them.
MATCH (v:JobVersion) WHERE v.hash STARTS WITH $prefix
WITH v ORDER BY v.hash LIMIT 10
MATCH (j:Job)-[:HAS_VERSION]->(v)
RETURN v.hash AS version, j.fqn AS job
ORDER BY version, job
