// Runs without a parent whose job would be another now: one of their name came under a parent, or left it.
MATCH (j:Job) WHERE j.key IN $keys
CALL (j) {
  MATCH (j)-[:HAS_RUN {adopted: true}]->(r:Run)
  WHERE NOT j.defined AND NOT EXISTS { (j)-[:HAS_RUN {adopted: false}]->(:Run) }
  RETURN r.id AS id
  UNION
  WITH j WHERE EXISTS { (:Job)-[:PARENT_OF]->(j) }
  MATCH (alone:Job {namespace: j.namespace, fqn: j.fqn})-[:HAS_RUN]->(r:Run)
  WHERE NOT EXISTS { (:Job)-[:PARENT_OF]->(alone) }
  RETURN r.id AS id
}
RETURN DISTINCT id
ORDER BY id
