// The runs of a pipeline in a time range, oldest first; of a run and its reruns, only the newest.
MATCH (r:Run {job_key: $job_key})
WHERE r.created_at >= coalesce($since, datetime({year: 1})) AND r.created_at < coalesce($until, datetime.realtime())
  AND NOT EXISTS { (r)-[:RERUN_OF]->(:Run) }
WITH r ORDER BY r.job_key, r.created_at, r.id
CALL (r) {
  MATCH (n:Run)-[:RERUN_OF*0..]->(r)
  RETURN n ORDER BY n.created_at DESC, n.id DESC LIMIT 1
}
WITH n WHERE n.state IN $states AND n.launch IS NULL
RETURN n.id AS id
LIMIT $most
