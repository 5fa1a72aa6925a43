// The triggers that start a job, wait for it or a dataset, or have it as a limit, with what they hold.
MATCH (given:Job|Dataset {key: $key})
// Who renames a pipeline renames its tasks.
MATCH (given)-[:PARENT_OF*0..]->(n)
CALL (n) {
  MATCH (t:Trigger)-[:STARTS]->(n)
  RETURN t, 'starts it' AS role
  UNION
  MATCH (n)-[:SAME_AS*0..1]->(same)<-[:WATCHES]-(:Condition)<-[:HAS_CONDITION]-(t:Trigger)
  RETURN t, 'waits for it' AS role
  UNION
  MATCH (k:Constraint {kind: 'not_failing', namespace: n.namespace, job: n.fqn})
  MATCH (t:Trigger)-[:LIMITED_BY]->(k)
  RETURN t, 'is limited by it' AS role
}
WITH DISTINCT t, replace(role, ' it', ' ' + CASE WHEN n = given THEN 'it' ELSE n.fqn END) AS role
WHERE t.deleted_at IS NULL
OPTIONAL MATCH (t)-[:STARTS]->(j:Job)
RETURN t.id AS id, t.name AS name, role, j.fqn AS starts, j.namespace AS namespace, t.text AS text,
  t.origin AS origin, COUNT { (t)-[:HAS_CELL]->(:Cell)-[:HOLDS]->() } AS held
ORDER BY role, starts, name, id
