// A column with its sources, the columns computed from it, and their datasets.
MATCH (f:Field {key: $key})
CALL (f) {
  MATCH path = (:Dataset)-[:HAS_FIELD]->(:Field)<-[:DERIVED_FROM*0..4]-(f)
  RETURN path LIMIT 150
  UNION
  MATCH path = (:Dataset)-[:HAS_FIELD]->(:Field)-[:DERIVED_FROM*0..4]->(f)
  RETURN path LIMIT 150
}
RETURN path
