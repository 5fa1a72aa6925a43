// Record the ends of started partitions, and count the failures.
MATCH (b:Backfill {id: $id})
CALL (b) {
  MATCH (p:BackfillPartition {backfill_id: b.id, state: 'STARTED'})
  WHERE p.number >= 0
  OPTIONAL MATCH (p)-[:STARTED]->(r:Run)
  WITH p, coalesce(r.state, 'KILLED') AS state
  WHERE NOT state IN ['PENDING', 'WAITING', 'RUNNING']
  SET p.state = state
  RETURN count(CASE WHEN state = 'FAILED' THEN 1 END) AS failures
}
SET b.failures = b.failures + failures
