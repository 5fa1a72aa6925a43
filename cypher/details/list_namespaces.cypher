// Namespaces by name, as far as they exist, with the times of their jobs' and datasets' use.
UNWIND $names AS name
CALL (name) {
  MATCH (j:Job)
  WHERE j.namespace = name AND j.fqn IS NOT NULL
  CALL (j) {
    MATCH (r:Run)
    WHERE r.job_key = j.key AND r.created_at IS NOT NULL
    RETURN r.created_at AS first
    ORDER BY r.job_key, r.created_at
    LIMIT 1
  }
  CALL (j) {
    MATCH (r:Run)
    WHERE r.job_key = j.key AND r.created_at IS NOT NULL
    RETURN r.created_at AS last
    ORDER BY r.job_key DESC, r.created_at DESC
    LIMIT 1
  }
  RETURN min(first) AS first_run, max(last) AS last_run
}
CALL (name) {
  MATCH (d:Dataset)
  WHERE d.namespace = name AND d.name IS NOT NULL
  MATCH (d)-[e:FEEDS|PRODUCES]-(:Job)
  RETURN min(e.first_seen) AS first_use, max(e.last_seen) AS last_use
}
WITH name, first_run, last_run, first_use, last_use
WHERE EXISTS { MATCH (j:Job) WHERE j.namespace = name AND j.fqn IS NOT NULL }
  OR EXISTS { MATCH (d:Dataset) WHERE d.namespace = name AND d.name IS NOT NULL }
RETURN name,
       CASE WHEN first_run <= first_use OR first_use IS NULL THEN first_run ELSE first_use END
         AS first_seen,
       CASE WHEN last_run >= last_use OR last_use IS NULL THEN last_run ELSE last_use END
         AS last_seen
ORDER BY name
