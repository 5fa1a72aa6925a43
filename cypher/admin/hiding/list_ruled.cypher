// A job of those that are hidden with a namespace which a trigger starts or waits for, if there is any.
CALL () {
  MATCH (j:Job)
  WHERE j.namespace = $name
  RETURN j
  UNION
  MATCH (top:Job)
  WHERE $inherit AND top.namespace = $name AND NOT EXISTS { (:Job)-[:PARENT_OF]->(top) }
  MATCH (top)-[:PARENT_OF*]->(j:Job)
  RETURN j
}
WITH j
WHERE EXISTS { MATCH (j)<-[:STARTS]-(t:Trigger) WHERE t.deleted_at IS NULL }
  OR EXISTS {
    MATCH (j)<-[:WATCHES]-(:Condition)<-[:HAS_CONDITION]-(t:Trigger) WHERE t.deleted_at IS NULL
  }
RETURN j.key AS key
ORDER BY key
LIMIT 1
