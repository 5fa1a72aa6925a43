// Dataset versions by key, each with its run and the columns that the run reported.
UNWIND $keys AS key
MATCH (d:Dataset)-[:HAS_VERSION]->(v:DatasetVersion {key: key})
OPTIONAL MATCH (r:Run)-[w:WRITES]->(v)
RETURN v.key AS key, d.key AS dataset, d.namespace AS namespace, d.name AS name,
       coalesce(v.written_at, w.last_seen) AS created_at, v.written_at IS NOT NULL AS is_written,
       toStringOrNull(v.version) AS version, r.id AS run, w.schema AS schema,
       COLLECT {
         MATCH (d)-[:SAME_AS*0..1]->(:Dataset)-[:TAGGED]->(t:Tag)
         RETURN DISTINCT t.name AS tag ORDER BY tag
       } AS tags
ORDER BY key
