// Count the partitions of a backfill, and those that were not left out.
MATCH (b:Backfill {id: $id})
RETURN
  b.total AS total,
  b.total - COUNT {
    MATCH (p:BackfillPartition {backfill_id: b.id, state: 'SKIPPED'}) WHERE p.number >= 0
  } AS to_run
