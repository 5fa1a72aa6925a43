// The columns with a tag: those tagged themselves, and all columns of tagged datasets.
MATCH (t:Tag {name: $name})
CALL (t) {
  MATCH (t)<-[:TAGGED]-(f:Field)
  RETURN f
  UNION
  MATCH (t)<-[:TAGGED]-(:Dataset)-[:SAME_AS*0..1]->(:Dataset)-[:HAS_FIELD]->(f:Field)
  RETURN f
}
WITH DISTINCT f
MATCH (d:Dataset)-[:HAS_FIELD]->(f)
WHERE d.hidden_at IS NULL
RETURN f.key AS key, f.name AS name, d.namespace AS namespace, d.name AS dataset
ORDER BY namespace, dataset, name
LIMIT $limit
