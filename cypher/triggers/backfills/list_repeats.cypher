// The run that each run of a backfill repeats, if any, as JSON.
UNWIND $run_ids AS id
MATCH (p:BackfillPartition)-[:STARTED]->(r:Run {id: id})
WHERE p.repeats IS NOT NULL
RETURN r.id AS run_id, p.repeats AS repeats
ORDER BY run_id
