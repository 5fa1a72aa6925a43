// Runs whose id starts with a text, or ends with one.
CALL () {
  MATCH (r:Run) WHERE r.id STARTS WITH $start
  RETURN r
  ORDER BY r.id LIMIT 6
  UNION
  // Without an end, no id is read: this looks at all of them.
  WITH $end AS end
  WHERE end IS NOT NULL
  MATCH (r:Run) WHERE r.id ENDS WITH end
  RETURN r
  LIMIT 6
}
RETURN r.id AS id, r.job_key AS job_key, r.name AS name, r.state AS state
ORDER BY id
LIMIT 6
