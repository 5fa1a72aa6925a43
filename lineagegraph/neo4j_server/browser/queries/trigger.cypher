// A trigger: the job that it starts, its rule, and its latest firings with what they started.
MATCH (t:Trigger {id: $key})
CALL (t) {
  MATCH path = (t)-[:STARTS|WHEN|OPERAND|WATCHES|LIMITED_BY*0..6]->()
  RETURN path LIMIT 150
  UNION
  MATCH path = (t)-[:FIRED]->(f:Firing)-[:CONSUMED|STARTED]->()
  RETURN path ORDER BY f.fired_at DESC LIMIT 30
}
RETURN path
