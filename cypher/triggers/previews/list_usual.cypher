// How long the newest runs of jobs took in the middle, and the jobs and datasets that are theirs.
UNWIND $keys AS key
MATCH (j:Job {key: key})
CALL (j) {
  MATCH (r:Run)
  WHERE r.job_key = j.key AND r.created_at IS NOT NULL
    AND r.state = 'COMPLETED' AND r.started_at IS NOT NULL AND r.ended_at IS NOT NULL
    // Of a run that ended before it began, by the clocks of two machines, the duration is unknown.
    AND r.ended_at >= r.started_at
  WITH r
  ORDER BY r.job_key DESC, r.created_at DESC, r.id DESC
  LIMIT 10
  RETURN percentileCont(duration.inSeconds(r.started_at, r.ended_at).seconds, 0.5) AS seconds
}
CALL (j) {
  MATCH (j)-[:PARENT_OF*0..]->(below:Job)
  OPTIONAL MATCH (below)-[:PRODUCES]->(d:Dataset)
  RETURN collect(DISTINCT below.key) AS jobs, collect(DISTINCT d.key) AS datasets
}
RETURN key, seconds, jobs, datasets
