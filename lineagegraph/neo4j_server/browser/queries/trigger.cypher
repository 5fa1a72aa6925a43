// A trigger with its job, its rule, and its latest firings and their runs.
MATCH (t:Trigger {id: $key})
CALL (t) {
  MATCH path = (t)-[:STARTS|WHEN|OPERAND|WATCHES|LIMITED_BY*0..6]->()
  RETURN path LIMIT 150
  UNION
  MATCH path = (t)-[:FIRED]->(f:Firing)-[:CONSUMED|STARTED]->()
  RETURN path ORDER BY f.fired_at DESC LIMIT 30
}
RETURN path
