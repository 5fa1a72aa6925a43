// The parents that jobs wait for: their own, their ancestors' and their descendants'.
UNWIND $keys AS key
MATCH (j:Job {key: key})
CALL (j) {
  MATCH (j)-[:PARENT_OF*0..]->(:Job)-[:DEPENDS_ON]->(p:Job)
  RETURN p
  UNION
  MATCH (j)<-[:PARENT_OF*1..]-(:Job)-[:DEPENDS_ON]->(p:Job)
  RETURN p
}
RETURN j.key AS key, j.namespace AS namespace, j.fqn AS fqn,
  p.key AS next_key, p.namespace AS next_namespace, p.fqn AS next_fqn
ORDER BY key, next_key
