// Sensors whose run, or a run of whose job, reached an awaited state or another final state.
MATCH (s:GraphSensor {kind: 'run'})
WHERE s.oldest_at IS NOT NULL AND s.shard IN $shards
  AND ($since IS NULL OR s.touched_at >= $since)
WITH s, CASE WHEN s.from_begin THEN s.oldest_at ELSE datetime({epochSeconds: 0}) END AS bound
CALL (s, bound) {
  WITH s WHERE s.run_id IS NOT NULL
  MATCH (r:Run {id: s.run_id})
  WHERE r.ended_at IS NOT NULL AND NOT r.state IN ['PENDING', 'WAITING', 'RUNNING']
  RETURN r.ended_at AS at, CASE WHEN NOT r.state IN s.statuses THEN r.state END AS ended
  UNION
  WITH s, bound WHERE s.run_id IS NULL AND s.partition_key IS NULL
  MATCH (j:Job {namespace: s.job_namespace, fqn: s.job_fqn})
  UNWIND s.statuses AS status
  MATCH (r:Run)
  WHERE r.job_key = j.key AND r.state = status AND r.ended_at >= bound
  RETURN r.ended_at AS at, null AS ended ORDER BY r.ended_at DESC LIMIT 1
  UNION
  // Runs that were marked by hand since, whenever they ended.
  WITH s, bound WHERE s.run_id IS NULL AND s.partition_key IS NULL
  MATCH (j:Job {namespace: s.job_namespace, fqn: s.job_fqn})
  MATCH (r:Run)
  WHERE r.job_key = j.key AND r.marked_at >= bound AND r.state IN s.statuses
  RETURN r.marked_at AS at, null AS ended ORDER BY r.marked_at DESC LIMIT 1
  UNION
  MATCH (j:Job {namespace: s.job_namespace, fqn: s.job_fqn})
  MATCH (r:Run)
  USING INDEX r:Run(job_key, partition, created_at)
  WHERE r.job_key = j.key AND r.partition = s.partition_key AND r.created_at IS NOT NULL
    AND r.state IN s.statuses AND coalesce(r.marked_at, r.ended_at) >= bound
  RETURN coalesce(r.marked_at, r.ended_at) AS at, null AS ended ORDER BY at DESC LIMIT 1
}
// A run that was marked by hand may be found twice.
WITH s, max(at) AS at, max(ended) AS ended
RETURN
  s.id AS id, s.shard AS shard, CASE WHEN s.from_begin THEN at END AS at, ended AS ended
ORDER BY id
