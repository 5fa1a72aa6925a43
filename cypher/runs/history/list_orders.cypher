// The runs that a run follows by `jobDependencies`, and those of others that follow it or its tasks.
MATCH (r:Run {id: $id})
CALL (r) {
  MATCH (r)-[:FOLLOWS]->(other:Run)
  RETURN 'follows' AS part, other
  UNION
  MATCH (r)-[:PARENT_OF*0..1]->(:Run)<-[:FOLLOWS]-(other:Run)
  // Upwards there is one parent each.
  WHERE NOT r IN [(other)<-[:PARENT_OF*]-(above:Run) | above]
  RETURN 'followed by' AS part, other
}
WITH part, other
ORDER BY part DESC, other.created_at, other.id
LIMIT $limit
OPTIONAL MATCH (j:Job)-[:HAS_RUN]->(other)
RETURN part, other.id AS run, coalesce(j.fqn, other.name, other.id) AS job,
       coalesce(other.state, 'PENDING') AS state
ORDER BY part DESC, other.created_at, run
