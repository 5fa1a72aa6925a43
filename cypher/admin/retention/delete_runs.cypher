// Delete runs with their events, written versions and starting firings.
UNWIND $ids AS id
MATCH (r:Run {id: id})
CALL (r) {
  MATCH (j:Job)-[:HAS_RUN]->(r)
  SET j.unsettled = CASE j.unsettled WHEN 'ADOPTION' THEN 'ADOPTION' ELSE 'FLOWS' END
}
CALL (r) {
  MATCH (e:Event)-[:REPORTS]->(r)
  DETACH DELETE e
}
CALL (r) {
  MATCH (r)-[:WRITES]->(v:DatasetVersion)
  DETACH DELETE v
}
CALL (r) {
  MATCH (f:Firing)-[:STARTED]->(r)
  DETACH DELETE f
}
CALL (r) {
  MATCH (c:StateChange)-[:OF]->(r)
  DETACH DELETE c
}
CALL (r) {
  MATCH (n:Note)-[:ANNOTATES]->(r)
  DETACH DELETE n
}
CALL (r) {
  MATCH (r)-[:EXPANDED]->(x:Expansion)
  OPTIONAL MATCH (x)-[:CONTAINS]->(t:ExpandedTask)
  DETACH DELETE t
  WITH DISTINCT x
  DETACH DELETE x
}
DETACH DELETE r
