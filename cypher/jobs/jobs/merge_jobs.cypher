// Create or lock jobs under their parents, and return those without their own run.
UNWIND $rows AS row
MERGE (j:Job {key: row.key})
ON CREATE SET
  j.namespace = row.namespace,
  j.name = row.name,
  j.simple_name = row.simple_name,
  j.fqn = row.fqn,
  j.cuts = row.cuts,
  j.kind = 'external',
  j.kind_said = '',
  j.stub = true,
  j.defined = false
SET j.locked = true
REMOVE j.locked
WITH j, row
CALL (j, row) {
  MATCH (p:Job {key: row.parent_key})
  MERGE (p)-[:PARENT_OF]->(j)
}
CALL (j, row) {
  WITH j, row WHERE NOT EXISTS { (:Alias)-[:NAMES]->(j) }
  UNWIND row.aliases AS alias
  MERGE (a:Alias {key: alias.key})
  ON CREATE SET a.namespace = alias.namespace, a.name = alias.name
  MERGE (a)-[:NAMES]->(j)
}
WITH j WHERE NOT j.defined AND NOT EXISTS { (j)-[:HAS_RUN {adopted: false}]->(:Run) }
// Another transaction may report the name without a parent, or under one: the index keeps the lock
// of the deleted node until the end.
CALL (j) {
  MERGE (l:Lease {name: 'job ' + j.namespace + ' ' + j.fqn})
  DELETE l
}
RETURN j.key AS key
ORDER BY key
