// The jobs with the names of dependencies: one for each name, stubs last.
UNWIND $rows AS row
CALL (row) {
  MATCH (j:Job {namespace: row.namespace, fqn: row.fqn})
  RETURN j
  ORDER BY j.stub, NOT j.defined, j.key
  LIMIT 1
}
RETURN j.namespace AS namespace, j.fqn AS fqn, j.key AS key,
  NOT j.stub OR EXISTS { (j)-[:HAS_RUN]->() } AS is_known
ORDER BY namespace, fqn
