// The facts of the newest ended run of a job that wrote a dataset, for some jobs and datasets.
// Without such a run, those of the job's declarations.
UNWIND $rows AS row
CALL (row) {
  MATCH (r:Run)
  WHERE r.job_key = row.job
    AND r.created_at >= datetime('0001-01-01T00:00:00Z')
    AND r.ended_at IS NOT NULL
    AND EXISTS { (r)-[:WRITES]->(:DatasetVersion {dataset_key: row.dataset}) }
  WITH r
  ORDER BY r.job_key DESC, r.created_at DESC, r.id DESC
  LIMIT 1
  RETURN collect(r.facts) AS ran
}
CALL (row, ran) {
  MATCH (:Job {key: row.job})-[:HAS_DECLARATION]->(one:Declaration)
  WHERE size(ran) = 0
  RETURN collect(one.facts) AS declared
}
RETURN row.job AS job, row.dataset AS dataset, ran, declared
ORDER BY job, dataset
