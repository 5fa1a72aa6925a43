// How many runs a backfill has in progress, and how many have failed since a person looked.
MATCH (b:Backfill {id: $id})
RETURN
  b.concurrency - COUNT {
    MATCH (p:BackfillPartition {backfill_id: b.id, state: 'STARTED'}) WHERE p.number >= 0
  } AS free,
  b.failures - b.forgiven AS failures,
  b.stop_after AS stop_after
