// The firings of a run: the firing that started it, and the firings that consumed it.
MATCH (r:Run {id: $id})
CALL (r) {
  MATCH (t:Trigger)-[:FIRED]->(f:Firing)-[:STARTED]->(r)
  RETURN 'started by' AS part, t, f, null AS other
  UNION
  MATCH (t:Trigger)-[:FIRED]->(f:Firing)-[:CONSUMED]->(r)
  OPTIONAL MATCH (f)-[:STARTED]->(other:Run)
  RETURN 'fired' AS part, t, f, other
  UNION
  MATCH (r)-[:PARENT_OF*0..]->(:Run)-[:WRITES]->(:DatasetVersion)<-[:CONSUMED]-(f:Firing),
        (t:Trigger)-[:FIRED]->(f)
  OPTIONAL MATCH (f)-[:STARTED]->(other:Run)
  RETURN 'fired' AS part, t, f, other
}
OPTIONAL MATCH (t)-[:STARTS]->(j:Job)
RETURN DISTINCT part, f.key AS key, t.id AS trigger, t.name AS trigger_name, j.fqn AS starts,
       f.fired_at AS fired_at, f.reason AS reason, other.id AS run
ORDER BY fired_at, starts, key
