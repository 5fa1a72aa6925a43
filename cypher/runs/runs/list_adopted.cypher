// Runs without a parent that belong to another job now, because a namesake got or lost a parent.
MATCH (j:Job) WHERE j.key IN $keys
CALL (j) {
  MATCH (j)-[:HAS_RUN {adopted: true}]->(r:Run)
  WHERE NOT j.defined AND NOT EXISTS { (j)-[:HAS_RUN {adopted: false}]->(:Run) }
  RETURN r.id AS id
  UNION
  WITH j WHERE EXISTS { (:Job)-[:PARENT_OF]->(j) }
  MATCH (other:Job {namespace: j.namespace, fqn: j.fqn})-[h:HAS_RUN]->(r:Run)
  WHERE other <> j AND (h.adopted OR NOT EXISTS { (:Job)-[:PARENT_OF]->(other) })
  RETURN r.id AS id
}
RETURN DISTINCT id
ORDER BY id
LIMIT $limit
