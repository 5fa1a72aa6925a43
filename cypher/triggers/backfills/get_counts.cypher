// The content's hash of a backfill, its number of partitions, and of those that were not left out.
MATCH (b:Backfill {id: $id})
RETURN
  b.hash AS hash,
  b.total AS total,
  b.total - COUNT {
    MATCH (p:BackfillPartition {backfill_id: b.id, state: 'SKIPPED'}) WHERE p.number >= 0
  } AS to_run
