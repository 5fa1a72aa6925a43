// Skip partitions of a backfill that need no run any more, or can have none for a reason.
UNWIND $rows AS row
MATCH (p:BackfillPartition {backfill_id: $id, number: row.number})
SET p.state = 'SKIPPED', p.reason = row.reason
