// The predecessors of runs: by a trigger, a dependency, or the run that they repeat.
UNWIND $ids AS id
MATCH (r:Run {id: id})
CALL (r) {
  MATCH (r)<-[:STARTED]-(:Firing)-[:CONSUMED]->(before:Run)
  RETURN before, 'trigger' AS kind
  UNION
  MATCH (r)<-[:STARTED]-(:Firing)-[:CONSUMED]->(:DatasetVersion)<-[:WRITES]-(before:Run)
  RETURN before, 'trigger' AS kind
  UNION
  MATCH (r)-[:FOLLOWS]->(before:Run)
  RETURN before, 'dependency' AS kind
  UNION
  MATCH (r)-[:WAITS_ON]->(j:Job)
  WHERE r.started_at IS NOT NULL
  CALL (r, j) {
    MATCH (before:Run)
    WHERE before.job_key = j.key AND before.created_at <= r.started_at
    RETURN before
    ORDER BY before.job_key DESC, before.created_at DESC
    LIMIT 1
  }
  RETURN before, 'dependency' AS kind
  UNION
  MATCH (r)-[:RERUN_OF]->(before:Run)
  RETURN before, 'rerun' AS kind
}
RETURN before.id AS before, id AS after, kind
ORDER BY after, before, kind
