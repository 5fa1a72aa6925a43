// Backfills that need a step: a run ended, a slot is free, or all partitions ended.
MATCH (b:Backfill {state: 'RUNNING'})
CALL (b) {
  MATCH (p:BackfillPartition {backfill_id: b.id, state: 'STARTED'})
  WHERE p.number >= 0
  OPTIONAL MATCH (p)-[:STARTED]->(r:Run)
  RETURN
    count(p) AS started,
    count(CASE WHEN r.state IN ['PENDING', 'WAITING', 'RUNNING'] THEN 1 END) AS open
}
WITH b, started, open
WHERE open < started
  OR started = 0
  OR (
    started < b.concurrency
    AND EXISTS {
      MATCH (p:BackfillPartition {backfill_id: b.id, state: 'UNSTARTED'}) WHERE p.number >= 0
    }
  )
RETURN b.id AS id
ORDER BY id
