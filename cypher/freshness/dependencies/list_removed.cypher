// The jobs that definitions stated once and state no more, with the pipelines that had them.
UNWIND $keys AS key
MATCH (j:Job {key: key, defined: true})
MATCH (top:Job)-[:PARENT_OF*0..]->(j)
MATCH (top)-[:HAS_VERSION]->(v:JobVersion {hash: top.current_version})
WITH key, j, top, v, substring(j.fqn, size(top.fqn) + 1) AS task
WHERE top.withdrawn_at IS NOT NULL
  OR j <> top AND NOT EXISTS { (v)-[:CONTAINS*1..]->(:TaskVersion {path: task}) }
RETURN key, top.fqn AS pipeline, top.withdrawn_at IS NOT NULL AS is_withdrawn
ORDER BY key, pipeline
