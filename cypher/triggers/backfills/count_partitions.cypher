// Count the partitions of a backfill, in some states or in all.
MATCH (p:BackfillPartition {backfill_id: $id})
WHERE p.number >= 0
OPTIONAL MATCH (p)-[:STARTED]->(r:Run)
WITH coalesce(r.state, p.state) AS state
WHERE $states IS NULL OR state IN $states
RETURN count(*) AS partitions
