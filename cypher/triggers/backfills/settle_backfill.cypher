// End a backfill without remaining partitions.
MATCH (b:Backfill {id: $id, state: 'RUNNING'})
USING INDEX b:Backfill(id)
UNWIND ['UNSTARTED', 'STARTED', 'FAILED', 'KILLED', 'SUPERSEDED'] AS state
CALL (b, state) {
  MATCH (p:BackfillPartition {backfill_id: b.id, state: state})
  WHERE p.number >= 0
  WITH p LIMIT 1
  RETURN count(p) AS some
}
WITH b, collect(CASE some WHEN 1 THEN state END) AS states
WHERE NOT any(state IN states WHERE state IN ['UNSTARTED', 'STARTED'])
WITH b, states, COUNT {
  MATCH (p:BackfillPartition {backfill_id: b.id, state: 'SKIPPED'})-[:STARTED]->(:Run)
  WHERE p.number >= 0
} AS skipped
SET b.state = CASE states WHEN [] THEN 'COMPLETED' ELSE 'FAILED' END,
    b.reason = CASE skipped WHEN 0 THEN b.reason
      WHEN 1 THEN '1 of its runs was skipped' ELSE skipped + ' of its runs were skipped' END,
    b.ended_at = coalesce($now, datetime.realtime())
RETURN b.id AS id
