// Mark nodes that an import changed as restored.
CALL () {
  UNWIND $runs AS id
  MATCH (r:Run {id: id}) RETURN r AS one
  UNION ALL
  UNWIND $declarations AS key
  MATCH (d:Declaration {key: key}) RETURN d AS one
  UNION ALL
  UNWIND $datasets AS key
  MATCH (d:Dataset {key: key}) RETURN d AS one
}
MATCH (:Import {id: $import_id})-[t:TOUCHED]->(one)
SET t.restored = true
