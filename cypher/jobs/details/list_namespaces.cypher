// Namespaces by name, with owner, description and the times of their jobs' and datasets' use.
UNWIND $names AS name
CALL (name) {
  MATCH (j:Job)
  WHERE j.namespace = name AND j.fqn IS NOT NULL AND j.hidden_at IS NULL
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
  WHERE d.namespace = name AND d.name IS NOT NULL AND d.hidden_at IS NULL
  MATCH (d)-[e:FEEDS|PRODUCES]-(:Job)
  RETURN min(e.first_seen) AS first_use, max(e.last_seen) AS last_use
}
OPTIONAL MATCH (n:Namespace {name: name})
RETURN name, n.owner AS owner, n.description AS description, n.created_at AS created_at,
       n.updated_at AS updated_at,
       CASE WHEN first_run <= first_use OR first_use IS NULL THEN first_run ELSE first_use END
         AS first_seen,
       CASE WHEN last_run >= last_use OR last_use IS NULL THEN last_run ELSE last_use END
         AS last_seen
ORDER BY name
