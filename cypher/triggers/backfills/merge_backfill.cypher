// Create or lock a backfill of a job, and return whether it is new.
MERGE (b:Backfill {id: $id})
ON CREATE SET
  b.hash = $hash,
  b.state = 'RUNNING',
  b.which = $which,
  b.order = $order,
  b.concurrency = $concurrency,
  b.stop_after = $stop_after,
  b.total = $total,
  b.failures = 0,
  b.forgiven = 0,
  b.token = $token,
  b.created_at = coalesce($now, datetime.realtime())
SET b.locked = true
REMOVE b.locked
WITH b
MATCH (j:Job {key: $job_key})
CALL (b, j) {
  WITH b, j WHERE b.token = $token
  MERGE (b)-[:OF]->(j)
}
RETURN b.token = $token AS is_new
