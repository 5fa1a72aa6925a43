// Write partitions of a backfill that is new.
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
