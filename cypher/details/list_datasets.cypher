// Datasets by key, each with its current columns in order, its facets and the times of its use.
// Times are told in seconds: the driver is slow to read many of its own kind.
UNWIND $keys AS key
MATCH (d:Dataset {key: key})
CALL (d) {
  MATCH (d)-[:HAS_FIELD]->(f:Field)
  WHERE coalesce(f.current, true)
  WITH f
  ORDER BY f.ordinal, f.name
  RETURN collect({
    name: f.name,
    type: f.type,
    tags: COLLECT { MATCH (f)-[:TAGGED]->(t:Tag) RETURN t.name ORDER BY t.name }
  }) AS fields
}
CALL (d) {
  MATCH (d)-[h:HAS_FACET]->(f:Facet)
  WITH h, f
  ORDER BY h.name
  RETURN collect({name: h.name, body: f.body}) AS facets
}
CALL (d) {
  MATCH (d)-[e:FEEDS|PRODUCES]-(:Job)
  WITH min(e.first_seen) AS first, max(e.last_seen) AS last,
       max(CASE type(e) WHEN 'PRODUCES' THEN e.last_seen END) AS written_at
  RETURN coalesce(first, d.schema_at) AS first_seen, coalesce(last, d.schema_at) AS last_seen,
         written_at
}
CALL (d) {
  MATCH (v:DatasetVersion)
  WHERE v.dataset_key = d.key AND v.written_at IS NOT NULL
  WITH v
  ORDER BY v.dataset_key DESC, v.written_at DESC, v.key DESC
  LIMIT 1
  RETURN collect(v.key) AS versions
}
RETURN d.key AS key, d.namespace AS namespace, d.name AS name, fields, facets,
       first_seen.epochSeconds + first_seen.microsecond / 1e6 AS first_seen,
       last_seen.epochSeconds + last_seen.microsecond / 1e6 AS last_seen,
       written_at.epochSeconds + written_at.microsecond / 1e6 AS written_at,
       d.hidden_at AS hidden_at, versions[0] AS version,
       COLLECT { MATCH (d)-[:TAGGED]->(t:Tag) RETURN t.name ORDER BY t.name } AS tags
ORDER BY namespace, name
