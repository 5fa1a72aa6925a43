// Drop the waiting partitions of a backfill, and cancel its runs: all, or those that have not begun.
MATCH (b:Backfill {id: $id})
CALL (b) {
  MATCH (p:BackfillPartition {backfill_id: b.id, state: 'UNSTARTED'})
  WHERE p.number >= 0
  SET p.state = 'CANCELLED'
}
CALL (b) {
  MATCH (p:BackfillPartition {backfill_id: b.id, state: 'STARTED'})-[:STARTED]->(r:Run)
  WHERE p.number >= 0
  SET r.locked = true
  REMOVE r.locked
  // One that goes on after a rest, or after its worker was lost, is queued too.
  WITH r WHERE r.launch = 'QUEUED' AND r.state = 'PENDING'
    OR ($running AND r.launch IN ['QUEUED', 'CLAIMED', 'PARKED'])
  // A parked run is queued for a worker that ends it.
  SET r.cancel_requested = true,
      r.launch = CASE r.launch WHEN 'PARKED' THEN 'QUEUED' ELSE r.launch END
}
