// Create or lock the jobs that definitions state, and return those that had neither a definition nor a run.
UNWIND $rows AS row
MERGE (j:Job {key: row.key})
ON CREATE SET
  j.namespace = row.namespace,
  j.name = row.name,
  j.simple_name = row.simple_name,
  j.fqn = row.fqn,
  j.cuts = row.cuts,
  j.kind_said = '',
  j.locked = 'new'
ON MATCH SET j.locked = 'known'
WITH j, row, j.locked = 'new' AS is_new, coalesce(j.defined, false) AS was_defined
SET j.defined = true, j.stub = false, j.kind = row.kind, j.application = $application
REMOVE j.locked, j.hidden_at, j.was_hidden_at, j.shown_by
WITH j, row, is_new, was_defined
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
WITH j, is_new
WHERE NOT was_defined AND NOT EXISTS { (j)-[:HAS_RUN {adopted: false}]->(:Run) }
WITH j.key AS key, is_new
RETURN collect([key, is_new]) AS rows
