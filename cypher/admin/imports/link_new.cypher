// Link an import to the runs, declarations and datasets that it created.
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
MATCH (i:Import {id: $import_id})
WITH i, one WHERE NOT EXISTS { (i)-[:TOUCHED]->(one) }
CREATE (i)-[:TOUCHED]->(one)
