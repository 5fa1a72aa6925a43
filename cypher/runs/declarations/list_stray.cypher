// Declarations that belong to another job now, because a namesake got or lost a parent.
MATCH (j:Job) WHERE j.key IN $keys
CALL (j) {
  MATCH (j)-[:HAS_DECLARATION]->(d:Declaration)
  WHERE EXISTS { (:Job)-[:PARENT_OF]->(j) } AND NOT j.defined
    AND NOT EXISTS { (j)-[:HAS_RUN {adopted: false}]->(:Run) }
  RETURN d, j.key AS job_key
  UNION
  WITH j WHERE EXISTS { (:Job)-[:PARENT_OF]->(j) }
  MATCH (other:Job {namespace: j.namespace, fqn: j.fqn})-[:HAS_DECLARATION]->(d:Declaration)
  WHERE other <> j
  RETURN d, other.key AS job_key
}
RETURN DISTINCT d.key AS key, d.namespace AS namespace, d.name AS name, job_key
ORDER BY key
