// A version with its job, tasks and latest runs.
MATCH (v:JobVersion {hash: $key})
CALL (v) {
  MATCH path = (v)-[:CONTAINS*0..3]->()
  RETURN path LIMIT 150
  UNION
  MATCH path = (v)<-[:HAS_VERSION]-(:Job)
  RETURN path LIMIT 10
  UNION
  MATCH path = (v)<-[:RAN]-(r:Run)
  RETURN path ORDER BY r.created_at DESC LIMIT 10
}
RETURN path
