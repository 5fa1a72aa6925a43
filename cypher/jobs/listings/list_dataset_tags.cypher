// The datasets of a namespace by name, each with its attached tags and its facet with tags.
MATCH (d:Dataset)
WHERE d.namespace = $namespace AND d.name IS NOT NULL AND d.hidden_at IS NULL
OPTIONAL MATCH (d)-[h:HAS_FACET {name: 'tags'}]->(f:Facet)
WITH d, collect(f.body)[0] AS facet
RETURN d.key AS key, facet,
       COLLECT { MATCH (d)-[:TAGGED]->(t:Tag) RETURN t.name } AS tags
ORDER BY d.namespace, d.name
