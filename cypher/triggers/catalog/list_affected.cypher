// The triggers that start a job or wait for it or a dataset, with the occurrences that they hold.
MATCH (n:Job|Dataset {key: $key})
CALL (n) {
  MATCH (t:Trigger)-[:STARTS]->(n)
  RETURN t, 'starts it' AS role
  UNION
  MATCH (t:Trigger)-[:HAS_CONDITION]->(:Condition)-[:WATCHES]->(n)
  RETURN t, 'waits for it' AS role
}
WITH DISTINCT t, role WHERE t.deleted_at IS NULL
OPTIONAL MATCH (t)-[:STARTS]->(j:Job)
RETURN t.id AS id, t.name AS name, role, j.fqn AS starts, j.namespace AS namespace, t.text AS text,
  t.origin AS origin, COUNT { (t)-[:HAS_CELL]->(:Cell)-[:HOLDS]->() } AS held
ORDER BY role, starts, name, id
