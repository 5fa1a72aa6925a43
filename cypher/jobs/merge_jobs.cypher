// Make sure that jobs exist, under their parents, and lock them.
UNWIND $rows AS row
MERGE (j:Job {key: row.key})
ON CREATE SET
  j.namespace = row.namespace,
  j.name = row.name,
  j.simple_name = row.simple_name,
  j.fqn = row.fqn,
  j.kind = 'external',
  j.kind_said = '',
  j.stub = true,
  j.defined = false
SET j.locked = true
REMOVE j.locked
WITH j, row
MATCH (p:Job {key: row.parent_key})
MERGE (p)-[:PARENT_OF]->(j)
