// The latest success of each value of a partition key, by one of its partitions; null for all values.
UNWIND $rows AS row
// Step 1: the times of successes by partition. Only one part of the UNION finds rows for a node. Times that are too
// far ahead do not count.
CALL (row) {
  // The index of successes has no partition, so this part reads all successful runs of the job.
  MATCH (r:Run)
  WHERE r.job_key = row.key AND r.state = 'COMPLETED' AND r.ended_at <= $until
    AND size(coalesce(r.only, [])) = 0
  RETURN r.partition AS partition, max(CASE row.counts
    WHEN 'data_end' THEN
      // No data is newer than the run that made it.
      CASE WHEN r.nominal_end < r.ended_at THEN r.nominal_end ELSE r.ended_at END
    ELSE r.ended_at
  END) AS at
  UNION ALL
  // A run that was skipped because its inputs were unchanged confirms the success before it.
  WITH row WHERE row.unchanged
  MATCH (r:Run)
  WHERE r.job_key = row.key AND r.state = 'FRESH_SKIP' AND r.reason = 'UNCHANGED'
    AND r.ended_at <= $until
  RETURN r.partition AS partition, max(r.ended_at) AS at
  UNION ALL
  // The index has all that this part needs: it reads no version of one partition.
  MATCH (:Dataset {key: row.key})-[:SAME_AS*0..1]->(same:Dataset)
  MATCH (v:DatasetVersion)
  WHERE v.dataset_key = same.key AND v.partition_key IS NOT NULL AND v.partition_key <> '*'
    AND v.written_at <= $until
  RETURN v.partition_key AS partition, max(v.written_at) AS at
  UNION ALL
  MATCH (:Dataset {key: row.key})-[:SAME_AS*0..1]->(same:Dataset)
  MATCH (v:DatasetVersion)
  WHERE v.dataset_key = same.key AND v.partition_key = '*' AND v.written_at <= $until
  UNWIND v.partition_keys AS partition
  RETURN partition, max(v.written_at) AS at
}
// Step 2: group by the text of the value. A partition is canonical JSON: `marker` is `,"KEY":`, and
// with a comma for its brace it occurs only before the value. A text with a backslash may contain
// quotes, so such partitions are not joined here.
WITH row, partition, at, split(',' + substring(partition, 1), row.marker)[1] AS rest
WITH row.key AS key, at, partition, CASE
  WHEN rest IS NULL THEN null
  WHEN partition CONTAINS '\\' THEN partition
  WHEN rest STARTS WITH '"' THEN split(rest, '"')[1]
  ELSE split(split(rest, ',')[0], '}')[0]
END AS value, rest IS NULL AS is_whole
WITH key, value, is_whole, min(partition) AS partition, max(at) AS at
RETURN collect({
  key: key,
  partition: CASE WHEN NOT is_whole THEN partition END,
  last_at: toString(at)
}) AS rows
