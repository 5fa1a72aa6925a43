// The jobs that triggers start when jobs end, or when their outputs are written, with the triggers.
UNWIND $keys AS key
MATCH (j:Job {key: key})
CALL (j) {
  MATCH (j)<-[:WATCHES]-(c:Condition)
  RETURN c
  UNION
  MATCH (j)-[:PRODUCES]->(:Dataset)-[:SAME_AS*0..1]->(:Dataset)<-[:WATCHES]-(c:Condition)
  RETURN c
}
MATCH (c)<-[:HAS_CONDITION]-(t:Trigger)-[:STARTS]->(next:Job)
WHERE c.operator IN ['STATUS', 'DATASET']
RETURN j.key AS key, next.key AS next, next.fqn AS fqn, collect(DISTINCT t.id) AS by
ORDER BY key, next
