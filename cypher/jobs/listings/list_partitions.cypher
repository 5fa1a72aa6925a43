// The partitions of a job by name, each with its latest run.
MATCH (r:Run)
WHERE r.job_key = $key AND r.partition IS NOT NULL AND r.created_at IS NOT NULL
WITH DISTINCT r.partition AS partition
ORDER BY partition
SKIP $offset
LIMIT $limit
CALL (partition) {
  MATCH (r:Run)
  WHERE r.job_key = $key AND r.partition = partition AND r.created_at IS NOT NULL
  RETURN r.id AS run
  ORDER BY r.job_key DESC, r.partition DESC, r.created_at DESC, run DESC
  LIMIT 1
}
RETURN partition, run
ORDER BY partition
