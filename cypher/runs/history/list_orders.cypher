// The runs that a run follows by `jobDependencies`, and those of others that follow it or its parts.
MATCH (r:Run {id: $id})
CALL (r) {
  MATCH (r)-[:FOLLOWS]->(other:Run)
  RETURN 'follows' AS part, other
  UNION
  MATCH (r)-[:PARENT_OF*0..]->(:Run)<-[:FOLLOWS]-(other:Run)
  WHERE NOT EXISTS { (r)-[:PARENT_OF*]->(other) }
  RETURN 'followed by' AS part, other
}
WITH part, other
ORDER BY part DESC, other.created_at, other.id
LIMIT $limit
OPTIONAL MATCH (j:Job)-[:HAS_RUN]->(other)
RETURN part, other.id AS run, coalesce(j.fqn, other.name, other.id) AS job,
       coalesce(other.state, 'PENDING') AS state
ORDER BY part DESC, other.created_at, run
