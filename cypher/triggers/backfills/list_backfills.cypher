// Backfills of one job or of all jobs, newest first.
MATCH (b:Backfill)
WHERE $id IS NULL OR b.id = $id
MATCH (b)-[:OF]->(j:Job)
WHERE $job_key IS NULL OR j.key = $job_key
WITH b, j
ORDER BY b.created_at DESC, b.id DESC
SKIP $offset
LIMIT $limit
CALL (b) {
  MATCH (p:BackfillPartition {backfill_id: b.id})
  WHERE p.number >= 0
  OPTIONAL MATCH (p)-[:STARTED]->(r:Run)
  WITH coalesce(r.state, p.state) AS state, count(p) AS partitions,
       min(r.started_at) AS started_at, max(r.ended_at) AS ended_at,
       count(r.ended_at) AS ended
  RETURN collect({state: state, partitions: partitions}) AS counts,
         min(started_at) AS first_started_at, max(ended_at) AS last_ended_at, sum(ended) AS ended
}
RETURN
  b.id AS id,
  j.namespace AS namespace,
  j.fqn AS job,
  b.state AS state,
  b.reason AS reason,
  b.which AS which,
  b.order AS order,
  b.concurrency AS concurrency,
  b.stop_after AS stop_after,
  b.total AS total,
  b.created_at AS created_at,
  b.ended_at AS ended_at,
  counts,
  first_started_at,
  last_ended_at,
  ended
