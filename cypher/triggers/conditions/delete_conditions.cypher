// Delete conditions of triggers that are not kept; their occurrences expire.
UNWIND $rows AS row
MATCH (t:Trigger {id: row.trigger_id})
CALL (t) {
  MATCH (t)-[w:WHEN]->(:Condition)
  DELETE w
}
CALL (t) {
  MATCH (t)-[:HAS_CONDITION]->(c:Condition)
  OPTIONAL MATCH (c)-[o:OPERAND]->(:Condition)
  OPTIONAL MATCH (c)-[w:WATCHES]->()
  DELETE o, w
}
CALL (t, row) {
  MATCH (t)-[:HAS_CELL]->(cell:Cell)-[h:HOLDS]->(what)
  WHERE NOT h.condition_id IN row.keep
  CREATE (cell)-[gone:EXPIRED]->(what)
  SET gone = properties(h), gone.expired_at = coalesce($now, datetime.realtime())
  DELETE h
}
CALL (t, row) {
  MATCH (t)-[has:HAS_CONDITION]->(c:Condition)
  WHERE NOT c.id IN row.keep
  DELETE has
  REMOVE c.next_at, c.event, c.hops
  WITH c WHERE NOT EXISTS { ()-[:CONSUMED|EXPIRED]->(c) }
  DETACH DELETE c
}
