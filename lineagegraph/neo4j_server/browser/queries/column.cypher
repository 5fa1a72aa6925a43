// A column with its sources, the columns computed from it, and their datasets.
MATCH (f:Field {key: $key})
CALL (f) {
  MATCH path = (:Dataset)-[:HAS_FIELD]->(:Field)<-[:DERIVED_FROM|IN_SET*0..6]-(f)
  RETURN path LIMIT 150
  UNION
  MATCH path = (:Dataset)-[:HAS_FIELD]->(:Field)-[:DERIVED_FROM|IN_SET*0..6]->(f)
  RETURN path LIMIT 150
}
RETURN path
