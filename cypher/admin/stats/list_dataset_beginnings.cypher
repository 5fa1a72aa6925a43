// The time of the first use of each dataset; null if unknown.
MATCH (d:Dataset)
WHERE d.name IS NOT NULL AND d.hidden_at IS NULL
CALL (d) {
  MATCH (d)-[e:FEEDS|PRODUCES]-(:Job)
  RETURN min(e.first_seen) AS first_use
}
RETURN coalesce(first_use, d.schema_at) AS created_at
ORDER BY created_at
