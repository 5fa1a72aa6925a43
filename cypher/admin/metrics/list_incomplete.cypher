// Jobs whose newest run has lineage that was not wholly understood, the least understood first.
// Actions are left out: their application has the sum.
MATCH (r:Run)
WHERE r.completeness < 1
MATCH (j:Job {key: r.job_key})
WHERE coalesce(j.kind, '') <> 'action'
CALL (j) {
  MATCH (newest:Run {job_key: j.key})
  WHERE newest.created_at IS NOT NULL
  RETURN newest
  ORDER BY newest.job_key DESC, newest.created_at DESC
  LIMIT 1
}
WITH r, j, newest
WHERE r = newest
RETURN j.namespace AS namespace, j.fqn AS name, r.completeness AS completeness
ORDER BY completeness, namespace, name
LIMIT $limit
