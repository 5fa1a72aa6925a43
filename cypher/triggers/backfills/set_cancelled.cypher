// Drop the waiting partitions of a backfill, and cancel its runs: all, or the queued ones.
MATCH (b:Backfill {id: $id})
CALL (b) {
  MATCH (p:BackfillPartition {backfill_id: b.id, state: 'UNSTARTED'})
  WHERE p.number >= 0
  SET p.state = 'CANCELLED'
}
CALL (b) {
  MATCH (p:BackfillPartition {backfill_id: b.id, state: 'STARTED'})-[:STARTED]->(r:Run)
  WHERE p.number >= 0 AND (r.launch = 'QUEUED' OR (r.launch = 'CLAIMED' AND $running))
  SET r.cancel_requested = true
}
