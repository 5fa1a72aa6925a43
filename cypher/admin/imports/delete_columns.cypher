// Delete columns without a schema and lineage, and datasets without any facts.
UNWIND $rows AS row
MATCH (:Import {id: $import_id})-[t:TOUCHED]->(d:Dataset {key: row.key})
DELETE t
WITH d, row
REMOVE d:Dataset
SET d:Dataset
WITH d, row
CALL (d, row) {
  MATCH (d)-[:HAS_FIELD]->(f:Field)
  WHERE NOT f.name IN row.names AND NOT EXISTS { (f)-[:DERIVED_FROM|IN_SET]-() }
  DETACH DELETE f
}
// A dataset stays as another name of one.
WITH d WHERE d.facts IS NULL AND NOT EXISTS { (d)<-[:WATCHES]-(:Condition) }
  AND NOT EXISTS { (d)<-[:HAS_NAME]-() }
DETACH DELETE d
