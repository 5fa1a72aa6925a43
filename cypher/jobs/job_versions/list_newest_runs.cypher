// The newest run of each of some versions of a job.
UNWIND $hashes AS version
CALL (version) {
  MATCH (r:Run)
  USING INDEX r:Run(job_key, job_version, created_at)
  WHERE r.job_key = $key AND r.job_version = version AND r.created_at IS NOT NULL
  WITH r
  ORDER BY r.job_key DESC, r.job_version DESC, r.created_at DESC, r.id DESC
  LIMIT 1
  RETURN r.id AS run
}
RETURN version, run
ORDER BY version
