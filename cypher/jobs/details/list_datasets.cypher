// Datasets by key, each with facets, times of use, and columns if no schema has them.
// What is known of a dataset under its other names is part of it.
UNWIND $keys AS key
MATCH (d:Dataset {key: key})
// Step 1: columns from lineage, only for datasets without a reported schema.
CALL (d) {
  MATCH (d)-[:SAME_AS*0..1]->(:Dataset)-[:HAS_FIELD]->(f:Field)
  WHERE d.schema_at IS NULL AND coalesce(f.current, true)
  WITH f.name AS name, min(f.ordinal) AS ordinal, collect(f.type)[0] AS type
  ORDER BY ordinal, name
  RETURN collect({name: name, type: type}) AS fields
}
// Step 2: facets; its own come first. A change of life cycle is one of the name.
CALL (d) {
  MATCH (d)-[:SAME_AS*0..1]->(m:Dataset)-[h:HAS_FACET]->(f:Facet)
  WHERE m = d OR h.name <> 'lifecycleStateChange'
  WITH h, f, m <> d AS is_other, m.key AS of
  ORDER BY is_other, of
  WITH h.name AS name, collect(f.body)[0] AS body
  ORDER BY name
  RETURN collect([name, body]) AS facets
}
// Step 3: the times of use by jobs.
CALL (d) {
  MATCH (d)-[:SAME_AS*0..1]->(:Dataset)-[e:FEEDS|PRODUCES]-()
  RETURN min(e.first_seen) AS first_seen, max(e.last_seen) AS last_seen
}
// Step 4: the newest version, and when it was written: a stream writes one for as long as it runs.
// Ordering by dataset_key too lets Neo4j use the index order.
CALL (d) {
  MATCH (d)-[:SAME_AS*0..1]->(m:Dataset)
  CALL (m) {
    MATCH (v:DatasetVersion)
    WHERE v.dataset_key = m.key AND v.written_at IS NOT NULL
    WITH v
    ORDER BY v.dataset_key DESC, v.written_at DESC, v.key DESC
    LIMIT 1
    RETURN v
  }
  WITH v
  ORDER BY v.written_at DESC, v.key DESC
  LIMIT 1
  OPTIONAL MATCH (v)<-[w:WRITES]-(:Run)
  WITH v, max(w.last_seen) AS last
  RETURN collect([v.key, CASE WHEN last > v.written_at THEN last ELSE v.written_at END]) AS versions
}
// Step 5: one list per dataset.
WITH d.key AS key, d.namespace AS namespace, d.name AS name, fields, facets,
     toString(coalesce(first_seen, d.schema_at)) AS first_seen,
     toString(coalesce(last_seen, d.schema_at)) AS last_seen,
     toString(versions[0][1]) AS written_at, toString(d.hidden_at) AS hidden_at,
     COLLECT {
       MATCH (d)-[:SAME_AS*0..1]->(:Dataset)-[:TAGGED]->(t:Tag)
       RETURN DISTINCT t.name AS tag ORDER BY tag
     } AS tags,
     COLLECT {
       MATCH (d)-[:SAME_AS*0..1]->(:Dataset)-[:HAS_FIELD]->(f:Field)-[:TAGGED]->(t:Tag)
       RETURN DISTINCT {field: f.name, tag: t.name} AS tag ORDER BY tag.tag
     } AS field_tags,
     versions[0][0] AS version, d.same_as AS same_as,
     COLLECT {
       MATCH (d)-[:SAME_AS]->(m:Dataset)
       RETURN {namespace: m.namespace, name: m.name} AS other ORDER BY other.namespace, other.name
     } AS other_names
ORDER BY namespace, name
RETURN collect([
  key, namespace, name, fields, facets, first_seen, last_seen, written_at, hidden_at, tags,
  field_tags, version, same_as, other_names
]) AS rows
