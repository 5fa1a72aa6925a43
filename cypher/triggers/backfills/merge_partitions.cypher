// Create the partitions of a new backfill.
MATCH (b:Backfill {id: $id})
UNWIND $rows AS row
CREATE (b)-[:COVERS]->(:BackfillPartition {
  backfill_id: b.id,
  number: row.number,
  params: row.params,
  partition: row.partition,
  state: row.state,
  repeats: row.repeats,
  reason: row.reason
})
