// The datasets with a lower-case text in their name or in a column's, and those of some keys.
MATCH (d:Dataset)
WHERE d.name IS NOT NULL AND d.hidden_at IS NULL
  AND (toLower(d.name) CONTAINS $text OR d.key IN $also
    OR $columns AND EXISTS {
      MATCH (d)-[:HAS_FIELD]->(f:Field)
      WHERE coalesce(f.current, true) AND toLower(f.name) CONTAINS $text
    })
CALL (d) {
  MATCH (d)-[e:FEEDS|PRODUCES]-(:Job)
  RETURN max(e.last_seen) AS last_use
}
RETURN d.key AS key, d.namespace AS namespace, d.namespace AS top_namespace, d.name AS name,
       coalesce(last_use, d.schema_at) AS updated_at
ORDER BY name, namespace
