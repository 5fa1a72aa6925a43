// Count the active runs of a backfill, and its failures since the last resume.
MATCH (b:Backfill {id: $id})
RETURN
  b.concurrency - COUNT {
    MATCH (p:BackfillPartition {backfill_id: b.id, state: 'STARTED'}) WHERE p.number >= 0
  } AS free,
  b.failures - b.forgiven AS failures,
  b.stop_after AS stop_after
