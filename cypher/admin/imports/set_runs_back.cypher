// Clear facts of runs that come from an import, before the rest is recorded again.
UNWIND $rows AS row
MATCH (r:Run {id: row.id})
REMOVE r.facts
WITH r, row
CALL (r, row) {
  MATCH (r)-[u:READS]->(d:Dataset) WHERE NOT d.key IN row.inputs
  DELETE u
}
CALL (r, row) {
  MATCH (r)-[:WRITES]->(v:DatasetVersion)<-[:HAS_VERSION]-(d:Dataset) WHERE NOT d.key IN row.outputs
  DETACH DELETE v
}
CALL (r) {
  MATCH (r)-[l:HAS_FACET|FOLLOWS|JUDGED]->()
  DELETE l
}
CALL (r, row) {
  MATCH (r)-[l:RAN]->(v:JobVersion) WHERE row.version IS NULL OR v.hash <> row.version
  DELETE l
}
CALL (r, row) {
  MATCH (p:Run)-[l:PARENT_OF]->(r) WHERE row.parent IS NULL OR p.id <> row.parent
  DELETE l
}
