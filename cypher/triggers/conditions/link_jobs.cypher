// Let conditions watch jobs by FQN; an unknown job is created as a stub.
UNWIND $rows AS row
MATCH (c:Condition {id: row.id})
OPTIONAL MATCH (known:Job {namespace: row.namespace, fqn: row.fqn})
WITH c, row, known ORDER BY known.stub, known.key
WITH c, row, collect(known)[0] AS known
CALL (row, known) {
  WITH row, known WHERE known IS NULL
  MERGE (j:Job {key: row.key})
  ON CREATE SET
    j.namespace = row.namespace,
    j.name = row.fqn,
    j.simple_name = row.fqn,
    j.fqn = row.fqn,
    j.kind = 'external',
    j.kind_said = '',
    j.stub = true,
    j.defined = false
  RETURN j
  UNION
  WITH known WHERE known IS NOT NULL
  RETURN known AS j
}
MERGE (c)-[:WATCHES]->(j)
