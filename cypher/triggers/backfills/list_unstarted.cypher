// The next waiting partitions of a backfill after a given one.
MATCH (p:BackfillPartition {backfill_id: $id, state: 'UNSTARTED'})
WHERE p.number > $after
WITH p ORDER BY p.backfill_id, p.state, p.number
LIMIT $most
RETURN p.number AS number, p.partition AS partition, p.repeats AS repeats
