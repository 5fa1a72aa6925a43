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
// A paused backfill has not counted their ends yet.
CALL (r) {
  MATCH (p:BackfillPartition {state: 'STARTED'})-[:STARTED]->(r)
  WHERE NOT r.state IN ['PENDING', 'WAITING', 'RUNNING']
  MATCH (b:Backfill {id: p.backfill_id})
  SET b.locked = true
  REMOVE b.locked
  WITH r, p, b WHERE p.state = 'STARTED'
  SET p.state = r.state,
      b.failures = b.failures + CASE r.state WHEN 'FAILED' THEN 1 ELSE 0 END
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
CALL (r) {
  MATCH (r)-[:WAITS_ON|WAITED_ON]->(s:Sensor)
  WHERE s.touched_at IS NULL
  // A sensor process deletes it after its last run.
  SET s:Idle
}
DETACH DELETE r
