// Replace the other names of datasets.
UNWIND $rows AS row
MATCH (d:Dataset {key: row.key})
CALL (d) {
  MATCH (d)-[old:HAS_NAME]->()
  DELETE old
}
CALL (d, row) {
  UNWIND row.names AS said
  MERGE (o:Dataset {key: said.key})
  ON CREATE SET o.namespace = said.namespace, o.name = said.name
  CREATE (d)-[:HAS_NAME {kind: said.kind, first_seen: datetime(said.first_seen)}]->(o)
}
