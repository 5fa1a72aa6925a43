// Hide a namespace, its datasets and own jobs, and with $inherit all jobs served in it.
MERGE (n:Namespace {name: $name})
ON CREATE SET n.created_at = coalesce($now, datetime.realtime())
SET n.hidden_at = coalesce($now, datetime.realtime())
WITH n.hidden_at AS now
CALL (now) {
  MATCH (j:Job)
  WHERE j.namespace = $name
  SET j.hidden_at = now
}
CALL (now) {
  MATCH (top:Job)
  WHERE $inherit AND top.namespace = $name AND NOT EXISTS { (:Job)-[:PARENT_OF]->(top) }
  MATCH (top)-[:PARENT_OF*]->(j:Job)
  SET j.hidden_at = now
}
CALL (now) {
  MATCH (d:Dataset)
  WHERE d.namespace = $name
  SET d.hidden_at = now
  WITH d, now WHERE d.same_as = d.key
  // The other names of a dataset show it under this one.
  MATCH (d)-[:SAME_AS]->(same:Dataset)
  SET same.hidden_at = now
}
