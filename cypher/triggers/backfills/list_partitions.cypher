// The partitions of a backfill in the order in which they run, with the run of each.
MATCH (p:BackfillPartition {backfill_id: $id})
WHERE p.number >= 0
WITH p ORDER BY p.backfill_id, p.number
OPTIONAL MATCH (p)-[:STARTED]->(r:Run)
WITH p, r, coalesce(r.state, p.state) AS state
WHERE $states IS NULL OR state IN $states
WITH p, r, state
SKIP $offset
LIMIT $limit
RETURN
  p.number AS number,
  p.params AS params,
  p.partition AS partition,
  state,
  r.id AS run_id,
  r.started_at AS started_at,
  r.ended_at AS ended_at,
  coalesce(r.reason, p.reason) AS reason,
  r.error AS error
