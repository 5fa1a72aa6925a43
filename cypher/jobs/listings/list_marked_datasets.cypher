// Some datasets, each with its attached tags, those of its columns too, and its facets of tags and owners.
UNWIND $keys AS key
MATCH (d:Dataset {key: key})
// What is known of a dataset under its other names is part of it; its own facets come first.
CALL (d) {
  OPTIONAL MATCH (d)-[:SAME_AS*0..1]->(m:Dataset)-[:HAS_FACET {name: 'tags'}]->(f:Facet)
  WITH f, m <> d AS is_other, m.key AS of
  ORDER BY is_other, of
  RETURN collect(f.body)[0] AS tags_facet
}
CALL (d) {
  OPTIONAL MATCH (d)-[:SAME_AS*0..1]->(m:Dataset)-[:HAS_FACET {name: 'ownership'}]->(f:Facet)
  WITH f, m <> d AS is_other, m.key AS of
  ORDER BY is_other, of
  RETURN collect(f.body)[0] AS ownership
}
RETURN d.key AS key, tags_facet, ownership,
       COLLECT {
         MATCH (d)-[:SAME_AS*0..1]->(:Dataset)-[:HAS_FIELD*0..1]->(n)-[:TAGGED]->(t:Tag)
         WHERE coalesce(n.current, true)
         RETURN DISTINCT t.name
       } AS tags
