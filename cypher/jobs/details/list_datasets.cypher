// Datasets by key, each with facets, times of use, and columns if no schema has them.
UNWIND $keys AS key
MATCH (d:Dataset {key: key})
// Step 1: columns from lineage, only for datasets without a reported schema.
CALL (d) {
  MATCH (d)-[:HAS_FIELD]->(f:Field)
  WHERE d.schema_at IS NULL AND coalesce(f.current, true)
  WITH f
  ORDER BY f.ordinal, f.name
  RETURN collect({name: f.name, type: f.type}) AS fields
}
// Step 2: facets.
CALL (d) {
  MATCH (d)-[h:HAS_FACET]->(f:Facet)
  WITH h, f
  ORDER BY h.name
  RETURN collect({name: h.name, body: f.body}) AS facets
}
// Step 3: the times of use by jobs.
CALL (d) {
  MATCH (d)-[e:FEEDS|PRODUCES]-()
  RETURN min(e.first_seen) AS first_seen, max(e.last_seen) AS last_seen,
         max(CASE type(e) WHEN 'PRODUCES' THEN e.last_seen END) AS written_at
}
// Step 4: the newest version. Ordering by dataset_key too lets Neo4j use the index order.
CALL (d) {
  MATCH (v:DatasetVersion)
  WHERE v.dataset_key = d.key AND v.written_at IS NOT NULL
  WITH v
  ORDER BY v.dataset_key DESC, v.written_at DESC, v.key DESC
  LIMIT 1
  RETURN collect(v.key) AS versions
}
// Step 5: one map per dataset.
WITH d, fields, facets, first_seen, last_seen, written_at, versions
ORDER BY d.namespace, d.name
RETURN collect({
  key: d.key,
  namespace: d.namespace,
  name: d.name,
  fields: fields,
  facets: facets,
  first_seen: toString(coalesce(first_seen, d.schema_at)),
  last_seen: toString(coalesce(last_seen, d.schema_at)),
  written_at: toString(written_at),
  hidden_at: toString(d.hidden_at),
  version: versions[0],
  tags: COLLECT { MATCH (d)-[:TAGGED]->(t:Tag) RETURN t.name ORDER BY t.name },
  field_tags: COLLECT {
    MATCH (d)-[:HAS_FIELD]->(f:Field)-[:TAGGED]->(t:Tag)
    RETURN {field: f.name, tag: t.name} ORDER BY t.name
  }
}) AS rows
