// The sources that datasets report, null for none, with the times of their use.
MATCH (d:Dataset)
WHERE d.name IS NOT NULL AND d.hidden_at IS NULL
OPTIONAL MATCH (d)-[:HAS_FACET {name: 'dataSource'}]->(f:Facet)
CALL (d) {
  MATCH (d)-[e:FEEDS|PRODUCES]-(:Job)
  RETURN min(e.first_seen) AS first_use, max(e.last_seen) AS last_use
}
RETURN f.body AS body, min(coalesce(first_use, d.schema_at)) AS first_seen,
       max(coalesce(last_use, d.schema_at)) AS last_seen
ORDER BY last_seen, body
